/**
 * Every command on several jobs, once. The contract's calls, the engine's handlers of plain changes,
 * the subcommands of `spool jobs`, and the page's row actions, selection bar, palette, toasts and
 * list of keys are derived from this table. No schema library is imported, so that a page can use it.
 */
import { englishVideos, germanVideos } from './counted.ts';
import { STATE_GROUPS, type JobState } from './job-states.ts';
import type { MessageName } from './messages.ts';
import type { Translation } from './in-language.ts';

export interface JobCommand {
  /** The states of the jobs that it applies to. */
  readonly from: readonly JobState[];
  /** With `true`, it applies to archived jobs only. */
  readonly ofArchived?: true;
  /** The states that `spool jobs` selects if the user names neither jobs nor states. */
  readonly selects?: readonly JobState[];
  /**
   * What it does to each job: a move of `engine/jobs/lifecycle.ts`, or a change of
   * `archivedAt` or `removedAt`. A
   * command without it has a handler of its own in the engine.
   */
  readonly change?: JobCommandChange;
  /** Whether it may spend quota: then what it costs is shown first. */
  readonly spends: boolean;
  /** Whether work follows that needs a running Spool. */
  readonly startsWork: boolean;
  /** Whether it can be undone: what changes of a job is then stored (`engine/jobs/undo-log.ts`). */
  readonly undo: boolean;
  /** As `keys` of the page's actions. */
  readonly keys: readonly string[];
  /** Imperative, for a button or a menu. */
  readonly does: Translation;
  /** What happened to a number of jobs. */
  readonly did: Translation<(count: number) => string>;
  /** The question before it is done; without one, it is done at once. */
  readonly asks?: Translation<(count: number) => string>;
  /** For the help of the command line. */
  readonly help: string;
}

/** A message without values. */
type Refusal = Extract<
  MessageName,
  'hold-too-late' | 'not-held' | 'archive-too-early' | 'not-archived' | 'remove-too-early'
>;

export type JobCommandChange =
  | {
      readonly move: 'hold' | 'release';
      /** The reason that the job was given ends with it. */
      readonly endsReason?: true;
      /** Why a job in another state is refused. */
      readonly refused: Refusal;
    }
  | { readonly archive: boolean; readonly refused: Refusal }
  | { readonly remove: true; readonly refused: Refusal };

export const JOB_COMMANDS = {
  hold: {
    from: ['queued'],
    change: { move: 'hold', refused: 'hold-too-late' },
    spends: false,
    startsWork: false,
    undo: true,
    keys: ['h'],
    does: { en: 'Hold', de: 'Zurückstellen' },
    did: {
      en: (count) => `${englishVideos(count)} held`,
      de: (count) => `${germanVideos(count)} zurückgestellt`,
    },
    help: 'Hold unsent videos.',
  },
  release: {
    from: ['held'],
    change: { move: 'release', endsReason: true, refused: 'not-held' },
    spends: false,
    startsWork: true,
    undo: true,
    keys: ['h'],
    does: { en: 'Release', de: 'Freigeben' },
    did: {
      en: (count) => `${englishVideos(count)} released`,
      de: (count) => `${germanVideos(count)} freigegeben`,
    },
    help: 'Put held videos back into the queue.',
  },
  retry: {
    from: ['failed', 'rejected', 'cancelled'],
    // Cancelled videos did not fail; they can be retried by id.
    selects: ['failed', 'rejected'],
    spends: true,
    startsWork: true,
    undo: false,
    keys: ['r'],
    does: { en: 'Retry', de: 'Erneut versuchen' },
    did: {
      en: (count) => `${englishVideos(count)} queued again`,
      de: (count) => `${germanVideos(count)} erneut eingereiht`,
    },
    help: 'Retry failed videos, after showing what that costs.',
  },
  downloadAgain: {
    from: ['missing', 'abandoned'],
    // An abandoned video was given up by choice; it can be downloaded by id.
    selects: ['missing'],
    spends: false,
    startsWork: true,
    undo: false,
    keys: ['r'],
    does: { en: 'Download again', de: 'Erneut herunterladen' },
    did: {
      en: (count) => `${englishVideos(count)} queued to download again`,
      de: (count) =>
        `${germanVideos(count)} ${count === 1 ? 'wird' : 'werden'} erneut heruntergeladen`,
    },
    help: 'Download missing and abandoned videos again. Costs nothing.',
  },
  cancel: {
    from: [...STATE_GROUPS.unsent, ...STATE_GROUPS.accepted],
    // Submitted videos have spent quota: those must be abandoned explicitly, by id or state.
    selects: STATE_GROUPS.unsent,
    spends: false,
    startsWork: false,
    undo: true,
    keys: ['delete', 'backspace'],
    does: { en: 'Cancel', de: 'Abbrechen' },
    did: {
      en: (count) => `${englishVideos(count)} cancelled`,
      de: (count) => `${germanVideos(count)} abgebrochen`,
    },
    asks: {
      en: (count) => (count === 1 ? 'Cancel this video?' : `Cancel ${englishVideos(count)}?`),
      de: (count) =>
        count === 1 ? 'Dieses Video abbrechen?' : `${germanVideos(count)} abbrechen?`,
    },
    help: 'Cancel videos. One that was sent is abandoned, and its quota stays spent.',
  },
  archive: {
    from: STATE_GROUPS.finished,
    change: { archive: true, refused: 'archive-too-early' },
    spends: false,
    startsWork: false,
    undo: true,
    keys: ['x'],
    does: { en: 'Archive', de: 'Archivieren' },
    did: {
      en: (count) => `${englishVideos(count)} archived`,
      de: (count) => `${germanVideos(count)} archiviert`,
    },
    help: 'Take finished videos out of the queue. Their files stay.',
  },
  remove: {
    from: [...STATE_GROUPS.finished, 'missing'],
    // Saved videos can be removed by id or state.
    selects: ['cancelled', 'failed', 'rejected'],
    change: { remove: true, refused: 'remove-too-early' },
    spends: false,
    startsWork: false,
    undo: true,
    keys: ['delete', 'backspace'],
    does: { en: 'Remove', de: 'Entfernen' },
    did: {
      en: (count) => `${englishVideos(count)} removed`,
      de: (count) => `${germanVideos(count)} entfernt`,
    },
    help: 'Remove videos from the queue and the archive. Their files stay.',
  },
  unarchive: {
    from: [...STATE_GROUPS.finished, 'missing'],
    ofArchived: true,
    change: { archive: false, refused: 'not-archived' },
    spends: false,
    startsWork: false,
    undo: true,
    keys: ['x'],
    does: { en: 'Put back', de: 'Zurückholen' },
    did: {
      en: (count) => `${englishVideos(count)} put back into the queue’s list`,
      de: (count) => `${germanVideos(count)} zurückgeholt`,
    },
    help: 'Put archived videos back into the list of the queue.',
  },
} as const satisfies Readonly<Record<string, JobCommand>>;

export type JobCommandName = keyof typeof JOB_COMMANDS;

export const JOB_COMMAND_NAMES = Object.keys(JOB_COMMANDS) as readonly JobCommandName[];

/** One column of the table, by command. */
export function columnOf<Field extends keyof JobCommand>(
  field: Field,
): Readonly<Record<JobCommandName, JobCommand[Field]>> {
  const entries = JOB_COMMAND_NAMES.map((name) => [
    name,
    (JOB_COMMANDS[name] as JobCommand)[field],
  ]);
  return Object.fromEntries(entries) as Readonly<Record<JobCommandName, JobCommand[Field]>>;
}
