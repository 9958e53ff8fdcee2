/** Holds many videos, undoes it, and kills itself at a commit of the undo. */
import { EngineRig, ORIGIN } from '../rigs/engine-rig.ts';
import { killAtCommit, killAtSchema } from './kill-at-commit.ts';

const [folder = '', stateDir = '', rows = '', killAt = ''] = process.argv.slice(2);

const rig = await EngineRig.open({ folder, stateDir, endsWithTest: false });
const { jobs, queue, batches } = rig.engine.commands;
await queue.pause({ origin: ORIGIN, what: 'sending' });
const titles = Array.from({ length: Number(rows) }, (_, index) => `Row ${index}`);
const source = { name: 'Batch.csv', content: ['title', ...titles].join('\n') };
const { jobIds } = await batches.add({ origin: ORIGIN, source, options: {} });
const { step } = await jobs.hold({ ids: jobIds });

killAtCommit(killAtSchema.parse(JSON.parse(killAt)));
await jobs.undo({ step: step ?? '' });
throw new Error('The undo has ended.');
