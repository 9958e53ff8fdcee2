/** The page's state: its parts, and which engine update reaches which of them. */
import { createContext, tick } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import type { Client } from '../../contract/contract.ts';
import type { Failure } from '../../contract/failure.ts';
import { obstacleOf } from '../../contract/flow.ts';
import { limitAt } from '../../contract/limit-at.ts';
import type { Job } from '../../contract/job.ts';
import type { Settings, SettingsView } from '../../contract/settings.ts';
import { sizesIn, type Sizes } from '../../contract/sizes.ts';
import type { Summary, Update } from '../../contract/summary.ts';
import { isUnlimited, practicePlan } from '../../contract/this-computer.ts';
import type { UserMessage } from '../../contract/user-message.ts';
import type { Worker } from '../../contract/worker.ts';
import { LiveFeed } from '../connection/live-feed.svelte.ts';
import type { Localization } from '../formatting/localization.ts';
import { Times } from '../formatting/times.ts';
import { translateMessage } from '../formatting/translate-message.ts';
import type { ViewTexts } from '../texts/en-views.ts';
import type { Texts } from '../texts/en.ts';
import type { Language } from '../texts/languages.ts';
import { ActivityState } from './activity-state.svelte.ts';
import { planLabel } from '../formatting/plan-form.ts';
import type { AddState } from './add-state.svelte.ts';
import { BatchMemory } from './batch-memory.ts';
import { chosenRows, type ChosenRows } from './chosen-rows.ts';
import { Commands } from './commands.svelte.ts';
import { Computer } from './computer.svelte.ts';
import { CycleState } from './cycle-state.svelte.ts';
import { DetailsState } from './details-state.svelte.ts';
import { followEngine, tryNowOnline } from './engine-streams.ts';
import { EndedBatches } from './ended-batches.svelte.ts';
import { FileCheck } from './file-check.svelte.ts';
import { FirstRun } from './first-run.svelte.ts';
import { KeyQueue } from './key-queue.ts';
import { JobList } from './job-list.svelte.ts';
import { offeredText, type OfferedFile } from './offered-file.ts';
import { fulfilRequest } from './page-requests.ts';
import { Preferences } from './preferences.svelte.ts';
import type { RowProblem } from './problem-groups.ts';
import { Notifier } from './notifier.svelte.ts';
import { ProfileState } from './profile-state.svelte.ts';
import { QueueState } from './queue-state.svelte.ts';
import { Renaming } from './renaming.svelte.ts';
import { RowEditor, RowsEditor } from './row-form.svelte.ts';
import { SavedState } from './saved-state.svelte.ts';
import { ServicesState } from './services-state.svelte.ts';
import { SettingsState } from './settings-state.svelte.ts';
import type { PageEnvironment } from './page-environment.ts';
import { TableLayout } from './table-layout.svelte.ts';
import { Ticker } from './ticker.svelte.ts';
import { Thumbnails } from './thumbnails.svelte.ts';
import { Toasts } from './toasts.svelte.ts';
import { VIEWS, VIEWS_WITHOUT_LIMITS, type MainView, type View } from './views.ts';

/** Creates the parts of the page's state, and forwards the engine's updates to them. */
export class AppState implements Localization {
  view = $state<View>('queue');
  summary = $state.raw<Summary | null>(null);
  /** Which process runs the queue; the answering one until the engine reports another. */
  worker = $state.raw<Worker>({ kind: 'here' });
  dialog = $state<'key' | 'keys' | 'palette' | 'undo' | null>(null);
  /** The form of the unsent job whose request is being changed. */
  editor = $state.raw<RowEditor | null>(null);
  /** The form of several unsent jobs; `null` while it is closed. */
  rowsEditor = $state.raw<RowsEditor | null>(null);
  /** Why this computer renders fewer videos at a time than it could; `null` if it does not. */
  lessPower = $state<'on-battery' | 'always' | null>(null);
  /** The open view's search field, if it has one. */
  searchField = $state<HTMLInputElement>();
  /** True when the window is too narrow to show the details beside the list. */
  narrow = $state(false);

  readonly client: Client;
  readonly keys: KeyQueue;
  readonly feed: LiveFeed;
  readonly ticker: Ticker;
  readonly preferences: Preferences;
  readonly toasts: Toasts;
  readonly commands: Commands;
  readonly queue: QueueState;
  readonly saved: SavedState;
  readonly plan: JobList;
  readonly activity: ActivityState;
  readonly details: DetailsState;
  readonly thumbnails: Thumbnails;
  readonly firstRun: FirstRun;
  readonly computer: Computer;
  readonly notifier: Notifier;
  readonly services: ServicesState;
  readonly settings: SettingsState;
  readonly cycle: CycleState;
  readonly profile: ProfileState;
  readonly fileCheck: FileCheck;
  readonly renaming: Renaming;
  readonly fileAddress: (jobId: string) => string;
  readonly posterAddress: (jobId: string) => string;
  readonly saveFile: PageEnvironment['saveFile'];
  readonly onMac: boolean;
  readonly onLinux: boolean;
  readonly #environment: PageEnvironment;
  /** `null` until it is first needed: it is not part of the page's first script. */
  #adding = $state.raw<AddState | null>(null);
  #editGeneration = 0;
  /** Ids of batches whose table of results could not be written. */
  readonly #reported = new SvelteSet<string>();

  readonly texts: Texts = $derived.by(() => this.preferences.texts);
  readonly times: Times = $derived.by(() => new Times(this.texts.times));
  readonly #sizes: Sizes = $derived.by(() => sizesIn(this.texts.locale));

  /** The problem that stops the queue, whether or not it is paused as well. */
  readonly obstacle: Failure | null = $derived.by(() =>
    this.summary === null ? null : obstacleOf(this.summary.flow),
  );
  /** Whether the service could not be reached because its certificate is not trusted. */
  readonly isUntrusted: boolean = $derived.by(() => isUntrusted(this.obstacle));

  /** The rows that an action would apply to now. */
  readonly chosen: ChosenRows = $derived.by(() =>
    chosenRows(
      this.view === 'queue' ? this.queue : this.view === 'saved' ? this.saved : null,
      // Keys must not change a video that the open view does not show.
      this.detailsOpen ? this.details.details?.job : undefined,
    ),
  );

  constructor(client: Client, environment: PageEnvironment) {
    this.client = client;
    this.#environment = environment;
    this.keys = new KeyQueue(environment.keys);
    this.ticker = new Ticker(() => environment.now());
    this.preferences = new Preferences(environment.storage, environment.languages);
    const { pointerReleased } = environment;
    this.toasts = new Toasts(pointerReleased, environment.successToastMs);
    this.commands = new Commands(client, this.toasts, () => this.texts);
    this.services = new ServicesState(
      ...([client, this.commands, () => this.summary, () => this.texts] as const),
    );
    this.queue = new QueueState(
      client,
      this.commands,
      pointerReleased,
      new TableLayout(environment.storage, 'queue'),
      new EndedBatches(environment.storage),
    );
    this.saved = new SavedState(
      client,
      pointerReleased,
      new TableLayout(environment.storage, 'saved'),
    );
    this.plan = new JobList(client, pointerReleased);
    this.activity = new ActivityState(client, () => environment.now(), pointerReleased);
    this.details = new DetailsState(client, pointerReleased);
    this.thumbnails = new Thumbnails(client);
    this.firstRun = new FirstRun(client, pointerReleased);
    this.computer = new Computer(this.commands);
    this.notifier = new Notifier(client, environment.notifications, this.computer, (news) =>
      this.texts.news(news),
    );
    this.cycle = new CycleState(client);
    this.profile = new ProfileState(client, this.commands, (message) => this.translate(message));
    this.settings = new SettingsState(this.commands, (message) => this.translate(message));
    this.fileCheck = new FileCheck(this.commands, this.toasts, () => this.texts);
    this.renaming = new Renaming(
      client,
      this.toasts,
      () => this.texts,
      (text, step) => {
        this.commands.showDone(text, step);
      },
    );
    this.fileAddress = (jobId) => environment.fileAddress(jobId);
    this.posterAddress = (jobId) => environment.posterAddress(jobId);
    this.saveFile = (name, type, pieces) => {
      environment.saveFile(name, type, pieces);
    };
    this.onMac = environment.onMac;
    this.onLinux = environment.onLinux;
    this.feed = new LiveFeed(client, environment, (update) => {
      this.#apply(update);
    });
  }

  /** Runs until the returned function is called. */
  start(page: Document): () => void {
    this.#continueFrom(this.#environment.parameters);
    void this.computer.load(this.client);
    const stops = [
      this.feed.start(),
      this.ticker.start(page),
      tryNowOnline(this.client, page),
      followEngine(this.client, this.#environment, {
        onPageRequest: (request) => {
          fulfilRequest(request, this);
        },
        onAppUpdate: (update) => {
          this.computer.update = update;
        },
        onSettings: (view) => {
          this.#applySettings(view);
        },
        onWorker: (worker) => {
          this.worker = worker;
        },
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /**
   * What the add view shows and changes.
   *
   * @throws before `loadAdding` has resolved, which `load-view.ts` waits for
   */
  get adding(): AddState {
    if (this.#adding === null) throw new Error('The state of the add view is not loaded.');
    return this.#adding;
  }

  /** @throws when its script could not be fetched with the page */
  async loadAdding(): Promise<AddState> {
    const { AddState } = await import('./add-state.svelte.ts');
    const { storage } = this.#environment;
    this.#adding ??= new AddState(this.client, new BatchMemory(storage), (ms, signal) =>
      this.#environment.wait(ms, signal),
    );
    return this.#adding;
  }

  /** The state of the add view while that is open and loaded. */
  get openAdding(): AddState | null {
    return this.view === 'add' ? this.#adding : null;
  }

  get viewTexts(): ViewTexts {
    return this.preferences.viewTexts;
  }

  get language(): Language {
    return this.preferences.language;
  }

  get now(): number {
    return this.ticker.now;
  }

  /** Whether only this computer limits what is rendered. */
  get isUnlimited(): boolean {
    return this.summary !== null && isUnlimited(this.summary);
  }

  /** The practice account’s name, with its plan; `null` for any other account. */
  get practiceName(): string | null {
    const plan = this.summary === null ? null : practicePlan(this.summary);
    return plan === null ? null : this.texts.limits.practice(planLabel(plan, plan));
  }

  /** The views that the navigation lists. */
  get views(): readonly MainView[] {
    return this.isUnlimited ? VIEWS_WITHOUT_LIMITS : VIEWS;
  }

  /** The limits as of now, computed from the engine's last report. */
  get limits(): Summary['limits'] | null {
    if (this.summary === null) return null;
    const { generate, status, download, renders } = this.summary.limits;
    return {
      generate: limitAt(generate, this.now),
      status: limitAt(status, this.now),
      download: limitAt(download, this.now),
      renders,
    };
  }

  /** Whether the view is a form: letters are then text even outside its fields. */
  get expectsText(): boolean {
    switch (this.view) {
      case 'welcome':
        return ['services', 'examples', 'own-profile', 'key'].includes(this.firstRun.now.step);
      case 'add':
        return (this.openAdding?.video ?? null) !== null;
      case 'profile':
        // A profile that is still loading may turn out to be a form.
        return this.profile.view?.canChange !== false;
      default:
        return false;
    }
  }

  /** A message of the engine in the page's language. */
  translate(message: UserMessage): string {
    return translateMessage(message, this.texts);
  }

  count(value: number): string {
    return this.#sizes.count(value);
  }

  bytes(value: number): string {
    return this.#sizes.bytes(value);
  }

  speed(bytesPerSecond: number): string {
    return this.#sizes.speed(bytesPerSecond);
  }

  /** Changes this page immediately, and then every other page of the host. */
  choose(patch: Partial<Pick<Settings, 'theme' | 'language'>>): void {
    const { theme, languageChoice: language } = this.preferences;
    this.preferences.follow({ theme, language, ...patch });
    void this.settings.set(patch);
  }

  /** Whether the open view shows the details of a video. */
  get detailsOpen(): boolean {
    const hasDetails = ['queue', 'timeline', 'saved', 'activity'].includes(this.view);
    return hasDetails && this.details.id !== null;
  }

  goTo(view: View): void {
    this.view = view === 'limits' && this.isUnlimited ? 'queue' : view;
  }

  /** Opens the add view and checks the files there. Adds nothing yet. */
  addFiles(offered: readonly OfferedFile[]): void {
    if (offered.length === 0) return;
    this.#add((adding) => adding.take(offered));
  }

  fileChanged(offered: OfferedFile): void {
    void this.#adding?.readAgain(offered);
  }

  /** Checks pasted rows. The same text again is the same file. */
  addRows(text: string): void {
    this.#add((adding) => {
      const key = `pasted ${text}`;
      const known = adding.files.all.find((file) => file.key === key);
      const name = known?.name ?? adding.files.freeName(this.texts.frame.pasteName);
      return adding.take([offeredText(name, text, key)]);
    });
  }

  /** Opens the add view with something to add. If it cannot be loaded, the view says so. */
  #add(begin: (adding: AddState) => Promise<void>): void {
    this.goTo('add');
    void this.loadAdding().then(begin, () => null);
  }

  /** Focuses the search field; opens the queue first if the open view has none. */
  focusSearch(): void {
    if (!['queue', 'saved', 'activity'].includes(this.view)) this.goTo('queue');
    void this.keys.holdUntil(tick().then(() => this.searchField?.focus()));
  }

  /** Opens the cell of an error in the rows to be added, by default of the next one. */
  async showProblem(problem?: RowProblem): Promise<void> {
    const { adding } = this;
    // The row may have to be read first.
    await this.keys.holdUntil(
      problem === undefined ? adding.showNextProblem() : adding.showProblem(problem),
    );
  }

  /** Opens the settings at the field for the service's certificate. */
  enterCertificate(): void {
    this.goTo('settings');
    this.settings.certificateWanted = true;
  }

  /** Whether the page shows lists only, so that leaving it loses nothing but its search. */
  get isOnlyShown(): boolean {
    const adding = this.#adding;
    const hasBatch = adding !== null && (adding.video !== null || adding.now.step !== 'choose');
    return !hasBatch && ['queue', 'timeline', 'saved', 'activity', 'limits'].includes(this.view);
  }

  /** Leaves for the page of the current run, which shows the same view and search. */
  continueInNewRun(): void {
    const search = this.searchField?.value ?? '';
    this.#environment.continueWith({ view: this.view, ...(search === '' ? {} : { search }) });
  }

  /** Shows the view and the search of the page of an ended run. */
  #continueFrom(parameters: PageEnvironment['parameters']): void {
    const view = VIEWS.find((each) => each === parameters.get('view'));
    if (view === undefined) return;
    this.goTo(view);
    const search = parameters.get('search') ?? '';
    if (search === '') return;
    if (view === 'queue') this.queue.searchFor(search);
    else if (view === 'saved') this.saved.searchFor(search);
    else if (view === 'activity') this.activity.searchFor(search);
  }

  /** Shows the videos that may or may not have been accepted. */
  showUncertain(): void {
    this.goTo('queue');
    this.queue.showUncertain();
  }

  /** Opens the form of an unsent job. */
  async edit(id: string): Promise<void> {
    const generation = ++this.#editGeneration;
    const details = await this.keys.holdUntil(
      this.commands.run((client) => client.jobs.show({ id })),
    );
    // Another job may have been opened meanwhile.
    if (details !== null && generation === this.#editGeneration)
      this.editor = new RowEditor(details);
  }

  /** Opens the player above the open view. */
  play(job: Job): void {
    this.saved.play(job, this.view === 'saved');
  }

  /** Opens the form of a new video with the values of another one, in the same batch. */
  async renderAgain(id: string): Promise<void> {
    const details = await this.commands.run((client) => client.jobs.show({ id }));
    if (details === null) return;
    this.#add((adding) => adding.openVideoForm(details.job.batchName, details.row.values));
  }

  /** Opens the form of several unsent jobs. */
  async editMany(ids: readonly string[]): Promise<void> {
    const generation = ++this.#editGeneration;
    const details = await this.keys.holdUntil(
      this.commands.run((client) => client.jobs.describeRows({ ids: [...ids] })),
    );
    if (details !== null && generation === this.#editGeneration)
      this.rowsEditor = new RowsEditor(ids, details);
  }

  /** Opens the dialog that renames files, with the name template of the first one's batch. */
  rename(ids: readonly string[]): void {
    const { list } = this.view === 'saved' ? this.saved : this.queue;
    const first = list.byId(ids[0] ?? '') ?? this.details.details?.job;
    const batches = this.summary?.batches ?? [];
    const batch = batches.find(({ id }) => id === first?.batchId) ?? batches.at(-1);
    void this.renaming.open(ids, batch?.nameTemplate ?? '{title}');
  }

  #applySettings(view: SettingsView): void {
    this.preferences.follow(view.settings);
    const { lessPower } = view.settings;
    const isLess = lessPower === 'always' || (lessPower === 'on-battery' && view.isOnBattery);
    this.lessPower = isLess ? lessPower : null;
    this.settings.follow(view);
    this.services.onSettings();
    if (this.view === 'settings' || this.view === 'profile') void this.profile.open();
  }

  /** Shows the first run, unless the user has opened another view by then. */
  async #welcome(): Promise<void> {
    if (!(await this.firstRun.loadSetup()) && this.view === 'queue') this.goTo('welcome');
  }

  #apply(update: Update): void {
    if (this.summary === null) void this.#welcome();
    const previous = this.summary;
    const serviceChanged =
      previous !== null && previous.service.origin !== update.summary.service.origin;
    const isFirstBatch = previous?.batches.length === 0 && update.summary.batches.length > 0;
    this.summary = update.summary;
    this.services.onSummary(update.summary);
    if (serviceChanged) this.#closePreviousService();
    if (this.view === 'limits' && this.isUnlimited) this.goTo('queue');
    // Another window or the command line added it: there is nothing left to choose.
    if (isFirstBatch && this.view === 'welcome' && this.firstRun.now.step === 'choices')
      this.goTo('queue');
    void this.notifier.onSummary(update.summary);
    this.#reportResults(update.summary);
    for (const list of this.#listsInUse()) list.apply(update);
    // The player may be above another view.
    if (this.saved.playing !== null && this.view !== 'saved') this.saved.apply(update);
    if (this.view === 'activity') this.activity.refresh();
    if (this.view === 'limits') this.cycle.onSummary(update.summary);
    this.details.apply(update);
  }

  /** Says once of each batch that its table of results cannot be written, or is another file. */
  #reportResults({ batches }: Summary): void {
    for (const { id, name, results } of batches) {
      if (results?.problem === null || results === null || this.#reported.has(id)) continue;
      this.#reported.add(id);
      this.toasts.note(this.texts.problems.results(name), this.translate(results.problem));
    }
  }

  /** Closes what belongs to the previous service. Lists and filters follow the update. */
  #closePreviousService(): void {
    this.details.close();
    this.saved.playing = null;
    this.activity.batchId = null;
    const service = this.services.shownName;
    if (service === null || this.#adding?.changeService() !== true) return;
    const { plannedAgain, plannedAgainMeans } = this.viewTexts.add;
    this.toasts.note(plannedAgain(service), plannedAgainMeans);
  }

  /** Lists of other views are read again when those open. */
  #listsInUse(): readonly { apply(update: Update): void }[] {
    switch (this.view) {
      case 'queue':
        return [this.queue];
      case 'saved':
        return [this.saved];
      case 'timeline':
        return [this.plan];
      case 'welcome':
        return [this.firstRun.list];
      case 'activity':
      case 'limits':
      case 'settings':
      case 'profile':
      case 'add':
        return [];
    }
  }
}

export const [useApp, provideApp] = createContext<AppState>();

/** Whether a service's certificate is not trusted. */
export function isUntrusted(failure: Failure | null): boolean {
  return failure?.untrusted === true;
}
