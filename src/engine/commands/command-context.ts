import type { Collision } from '../../contract/batch.ts';
import type { EnteredKey, Summary } from '../../contract/summary.ts';
import type { PosterCache } from '../downloads/poster-cache.ts';
import type { Canceller } from '../flow/canceller.ts';
import type { DownloadWaits } from '../flow/download-waits.ts';
import type { Fetcher } from '../flow/fetcher.ts';
import type { CheckLayouts } from '../check-layouts.ts';
import type { FindUndrawable } from '../find-undrawable.ts';
import type { BatchReadings } from '../intake/batch-readings.ts';
import type { FlowContext } from '../flow/flow-context.ts';
import type { Poller } from '../flow/poller.ts';
import type { ResultsFiles } from '../flow/results-files.ts';
import type { Settler } from '../flow/settler.ts';
import type { UserRules } from '../flow/user-rules.ts';
import type { Profile } from '../profiles/profile.ts';
import type { Forecasts } from '../view/forecasts.ts';
import type { Serial } from '../serial.ts';
import type { LiveView } from '../view/live-view.ts';

/** Settings for batches that do not override them. */
export interface BatchDefaults {
  /** Absolute path of the folder for their files. */
  readonly defaultFolder: string;
  /** Their files' names; `DEFAULT_TEMPLATE` of `downloads/naming.ts` when left out. */
  readonly nameTemplate?: string | undefined;
  /** `number` when left out. */
  readonly onCollision?: Collision | undefined;
  /** Whether tables of results are kept; not when left out. */
  readonly resultsFiles?: boolean;
}

/** What commands work with: the open session of one service. */
export interface CommandContext extends FlowContext {
  readonly rules: UserRules;
  readonly fetcher: Fetcher;
  readonly downloadWaits: DownloadWaits;
  readonly canceller: Canceller;
  readonly poller: Poller;
  readonly settler: Settler;
  readonly forecasts: Forecasts;
  readonly view: LiveView;
  readonly serviceInfo: Summary['service'];
  readonly posters: PosterCache;
  /** How a row becomes a request to the service, and what that costs. */
  readonly profile: Profile;
  readonly results: ResultsFiles;
  readonly runtime: Runtime;
  readonly readings: BatchReadings;
  /** As in `ServiceOptions`. */
  readonly newKey: (() => Promise<string>) | undefined;
  /** As in `ServiceOptions`. */
  readonly findUndrawable: FindUndrawable | undefined;
  readonly checkLayouts: CheckLayouts | undefined;
  /** The current settings for batches that do not override them. */
  readonly defaults: () => BatchDefaults;
  /** Aborted when the session closes. */
  readonly stop: AbortSignal;
  /** Serialises all commands that name files. */
  readonly naming: Serial;
  /** Serialises everything that moves saved files. */
  readonly renaming: Serial;
}

/** What one part of the commands takes of it. */
export type Needs<Name extends keyof CommandContext> = Pick<CommandContext, Name>;

/** Notifies loops and watchers of what a command changed, and offers what both need. */
export interface Runtime {
  /** Rows were added or moved in the queue. A job that changes its state announces that itself. */
  rowsChanged(): void;
  /** A pause, the key, the quota or something else that the loops depend on has changed. */
  flowChanged(): void;
  /**
   * Asks the service whether the key works.
   * @param entered a key that is not in use yet, instead of the one in use
   */
  checkKey(entered?: string): Promise<EnteredKey>;
  /** Backs the queue up, in the background; an error is reported, not thrown. */
  backUp(): void;
}
