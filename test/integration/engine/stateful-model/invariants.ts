import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { ActivityEntry } from '../../../../src/contract/activity.ts';
import type { JobState } from '../../../../src/contract/job-states.ts';
import { MOVES } from '../../../../src/engine/jobs/lifecycle.ts';
import type { Disk, RowOnDisk } from './disk.ts';
import type { World } from './world.ts';

/** States in which a unit of quota is set aside for a job. */
const HOLDING: readonly JobState[] = ['reserved', 'sending', 'uncertain'];

/** Notes what is wrong between two acts. */
export function check(world: World): void {
  const disk = world.disk();
  checkRows(world, disk);
  checkSteps(world, disk);
  checkQuota(world, disk);
  checkFiles(world, disk);
  checkSummary(world, disk);
}

/** Every added row exists exactly once, unchanged, and none has another row's video. */
function checkRows({ model, places }: World, { rows }: Disk): void {
  if (rows.length !== model.rows.size) {
    model.wrong(`${model.rows.size} rows were wanted and ${rows.length} are there.`);
  }
  for (const { id, body, origin, remoteId } of rows) {
    if (model.row(id).body !== body) model.wrong(`Job ${id} is another request now.`);
    if (remoteId === null) continue;
    const service = places.find((place) => place.service.origin === origin)?.service;
    const video = service?.videos.find((made) => made.id === remoteId);
    if (video?.body !== body) model.wrong(`Job ${id} goes by ${remoteId}, which is not its own.`);
  }
}

/** States change by the moves of the lifecycle alone, and each leaves a line in the history. */
function checkSteps({ model }: World, { rows, history }: Disk): void {
  const moves = new Set(
    Object.values(MOVES).flatMap(({ from, to }) => from.map((state) => `${state} → ${to}`)),
  );
  for (const { id, state } of rows) {
    const steps = history.filter(({ job }) => job === id);
    steps.forEach(({ from, to }, index) => {
      const before = steps[index - 1]?.to;
      if (before !== undefined && before !== from) {
        model.wrong(`Job ${id} went from ${before} to ${from} without an entry in its history.`);
      }
      if (!moves.has(`${from} → ${to}`)) model.wrong(`Job ${id} went from ${from} to ${to}.`);
    });
    const last = steps.at(-1)?.to ?? state;
    if (last !== state) model.wrong(`Job ${id} is ${state} but its history ends with ${last}.`);
  }
}

/** A unit is held or charged for all that the service may have made, and for nothing else. */
function checkQuota({ model, places }: World, { rows, charges, history }: Disk): void {
  for (const { id, state, origin } of rows) {
    const units = (...states: readonly string[]): number =>
      charges.filter((charge) => charge.job === id && states.includes(charge.state)).length;
    const steps = (from: JobState, to: JobState): number =>
      history.filter((step) => step.job === id && step.from === from && step.to === to).length;

    const held = HOLDING.includes(state) ? 1 : 0;
    if (units('held') !== held) model.wrong(`Job ${id} is ${state} and holds ${units('held')}.`);

    const given =
      steps('sending', 'submitted') +
      steps('uncertain', 'submitted') +
      steps('uncertain', 'abandoned');
    if (units('charged', 'refunded') !== given) {
      model.wrong(`Job ${id} was made ${given} times for ${units('charged', 'refunded')} units.`);
    }
    const service = places.find((place) => place.service.origin === origin)?.service;
    const made = service?.videos.filter(({ job }) => job === id) ?? [];
    const known = units('held', 'charged', 'refunded') + steps('uncertain', 'queued');
    if (made.length > known) model.wrong(`Job ${id} has more videos than units of quota.`);
    const failed = made.filter(({ word }) => word === 'failed').length;
    if (units('refunded') > failed) model.wrong(`Job ${id} got back what was not given back.`);
  }
}

/** What is called saved is there, and is the video that was asked for. */
function checkFiles({ model, places, touched }: World, { rows }: Disk): void {
  const saved = rows.filter(({ state }) => state === 'done');
  const paths = new Set(saved.map(({ filePath }) => filePath));
  if (paths.size < saved.length) model.wrong('Two jobs are saved in one file.');
  for (const job of saved) {
    const path = job.filePath ?? '';
    if (touched.has(job.id)) continue;
    if (!existsSync(path)) {
      // One that is on its way to another name may be between the two.
      if (job.renameTo === null) model.wrong(`The file of job ${job.id} is not there.`);
      continue;
    }
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    const service = places.find((place) => place.service.origin === job.origin)?.service;
    const video = service?.videos.find(({ id }) => id === job.remoteId);
    if (sha256 !== job.fileSha256 || sha256 !== video?.file.sha256 || video.body !== job.body) {
      model.wrong(`The file of job ${job.id} is not its video.`);
    }
  }
}

/** What the engine shows is what is on disk. */
function checkSummary({ model, engine, origin }: World, { rows }: Disk): void {
  const { counts } = engine.summary();
  for (const [state, count] of Object.entries(counts)) {
    const there = rows.filter((row) => row.origin === origin && row.state === state).length;
    if (count !== there) model.wrong(`${count} jobs are shown as ${state} and ${there} are.`);
  }
}

/** States that are left only by a decision of the user, or a change of a file. */
const ENDS: readonly JobState[] = [
  ...(['done', 'missing', 'failed', 'rejected', 'cancelled', 'abandoned'] as const),
];

export function hasEnded({ state }: Pick<RowOnDisk, 'state'>): boolean {
  return ENDS.includes(state);
}

/** Every relevant step is in the activity, newest first. */
export async function checkActivity(world: World): Promise<void> {
  const { model, origin } = world;
  const entries: ActivityEntry[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const query = { limit: 50, ...(after === undefined ? {} : { after }) };
    const page = await world.ask((engine) => engine.commands.activity.list(query));
    entries.push(...(page?.entries ?? []));
    after = page?.next ?? null;
  }
  const listed = new Set(
    entries.map((entry) => JSON.stringify([entry.at, entry.job?.id, entry.job?.to])),
  );
  const disk = world.disk();
  const here = new Set(disk.rows.filter((row) => row.origin === origin).map(({ id }) => id));
  for (const { job, at, from, to } of disk.history) {
    if (!here.has(job) || !LISTED.includes(to) || PASSING.includes(from)) continue;
    if (!listed.has(JSON.stringify([at, String(job), to]))) {
      model.wrong(`The activity does not say that job ${job} went from ${from} to ${to}.`);
    }
  }
}

const LISTED: readonly JobState[] = [...ENDS, 'submitted', 'uncertain', 'held'];
const PASSING: readonly JobState[] = ['done'];
