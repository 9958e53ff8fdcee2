/** Holds all queued videos, undoes it, and kills itself at a commit of the undo. */
import { EngineRig } from '../rigs/engine-rig.ts';
import { killAtCommit, killAtSchema } from './kill-at-commit.ts';

const [folder = '', stateDir = '', killAt = ''] = process.argv.slice(2);

const rig = await EngineRig.open({ folder, stateDir, endsWithTest: false });
const { jobs } = rig.engine.commands;
const { step } = await jobs.hold(await jobs.ids({ states: ['queued'], offset: 0 }));

killAtCommit(killAtSchema.parse(JSON.parse(killAt)));
await jobs.undo({ step: step ?? '' });
throw new Error('The undo has ended.');
