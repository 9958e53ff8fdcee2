import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { ActivityEntry } from '../../../../src/contract/activity.ts';
import type { JobState } from '../../../../src/contract/job-states.ts';
import { MOVES } from '../../../../src/engine/jobs/lifecycle.ts';
import type { Disk, RowOnDisk } from './disk.ts';
import type { World } from './world.ts';

/** States in which a unit of quota is held for a job. */
const HOLDING: readonly JobState[] = ['reserved', 'sending', 'uncertain'];

/** Reports violations between two actions. */
export function check(world: World): void {
  const disk = world.disk();
  checkRows(world, disk);
  checkSteps(world, disk);
  checkQuota(world, disk);
  checkFiles(world, disk);
  checkSummary(world, disk);
  for (const { service } of world.remotes) world.model.checkAccepted(service);
}

/** Every added row exists exactly once, unchanged, and none has another row's video. */
function checkRows({ model, remotes }: World, { rows }: Disk): void {
  if (rows.length !== model.rows.size) {
    model.report(`${model.rows.size} rows were added and ${rows.length} exist.`);
  }
  for (const { id, body, origin, remoteId } of rows) {
    if (model.row(id).body !== body) model.report(`Job ${id} has another request now.`);
    if (remoteId === null) continue;
    const service = remotes.find((remote) => remote.service.origin === origin)?.service;
    const video = service?.videos.find((made) => made.id === remoteId);
    if (video?.body !== body) model.report(`Job ${id} has the ID ${remoteId} of another video.`);
  }
}

/** States change only by moves of the lifecycle, and each has an entry in the history. */
function checkSteps({ model }: World, { rows, history }: Disk): void {
  const moves = new Set(
    Object.values(MOVES).flatMap(({ from, to }) => from.map((state) => `${state} → ${to}`)),
  );
  for (const { id, state } of rows) {
    const steps = history.filter(({ job }) => job === id);
    steps.forEach(({ from, to }, index) => {
      const before = steps[index - 1]?.to;
      if (before !== undefined && before !== from) {
        model.report(`Job ${id} went from ${before} to ${from} without an entry in its history.`);
      }
      if (!moves.has(`${from} → ${to}`)) model.report(`Job ${id} went from ${from} to ${to}.`);
    });
    const last = steps.at(-1)?.to ?? state;
    if (last !== state) model.report(`Job ${id} is ${state} but its history ends with ${last}.`);
  }
}

/** A unit is held or charged for everything that may be rendered, and for nothing else. */
function checkQuota({ model, remotes }: World, { rows, charges, history }: Disk): void {
  for (const { id, state, origin } of rows) {
    const units = (...states: readonly string[]): number =>
      charges.filter((charge) => charge.job === id && states.includes(charge.state)).length;
    const steps = (from: JobState, to: JobState): number =>
      history.filter((step) => step.job === id && step.from === from && step.to === to).length;

    const held = HOLDING.includes(state) ? 1 : 0;
    if (units('held') !== held) model.report(`Job ${id} is ${state} and holds ${units('held')}.`);

    const accepted =
      steps('sending', 'submitted') +
      steps('uncertain', 'submitted') +
      steps('uncertain', 'abandoned');
    if (units('charged', 'refunded') !== accepted) {
      model.report(
        `Job ${id} was accepted ${accepted} times for ${units('charged', 'refunded')} units.`,
      );
    }
    const service = remotes.find((remote) => remote.service.origin === origin)?.service;
    const made = service?.videos.filter(({ job }) => job === id) ?? [];
    const known = units('held', 'charged', 'refunded') + steps('uncertain', 'queued');
    if (made.length > known) model.report(`Job ${id} has more videos than units of quota.`);
    const failed = made.filter(({ word }) => word === 'failed').length;
    if (units('refunded') > failed)
      model.report(`Job ${id} has a refund for a render that did not fail.`);
  }
}

/** Every saved file exists and is the requested video. */
function checkFiles({ model, remotes, touched }: World, { rows }: Disk): void {
  const saved = rows.filter(({ state }) => state === 'done');
  const paths = new Set(saved.map(({ filePath }) => filePath));
  if (paths.size < saved.length) model.report('Two jobs are saved in one file.');
  for (const job of saved) {
    const path = job.filePath ?? '';
    if (touched.has(job.id)) continue;
    if (!existsSync(path)) {
      // A pending rename may have moved it.
      if (job.renameTo === null) model.report(`The file of job ${job.id} is missing.`);
      continue;
    }
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    const service = remotes.find((remote) => remote.service.origin === job.origin)?.service;
    const video = service?.videos.find(({ id }) => id === job.remoteId);
    if (sha256 !== job.fileSha256 || sha256 !== video?.file.sha256 || video.body !== job.body) {
      model.report(`The file of job ${job.id} is not its video.`);
    }
  }
}

/** The counts of the engine match the disk. */
function checkSummary({ model, engine, origin }: World, { rows }: Disk): void {
  const { counts } = engine.summary();
  for (const [state, count] of Object.entries(counts)) {
    const onDisk = rows.filter(
      (row) => row.origin === origin && row.state === state && row.isArchived === 0,
    ).length;
    if (count !== onDisk) model.report(`${count} jobs are shown as ${state} and ${onDisk} are.`);
  }
}

/** States that only a user's decision or a changed file can end. */
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
      model.report(`The activity does not list that job ${job} went from ${from} to ${to}.`);
    }
  }
}

const LISTED: readonly JobState[] = [...ENDS, 'submitted', 'uncertain', 'held'];
const PASSING: readonly JobState[] = ['done'];
