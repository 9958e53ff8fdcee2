import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { type Answer, Client } from '../integration/local-service/rig.ts';
import { signUp, uploadPicture } from '../integration/local-service/studio-forms.ts';
import { blankPng } from '../rigs/pictures.ts';
import { sha256 } from '../rigs/seeded-video.ts';
import type { PoweredService, StartedService } from './powered-service.ts';

const [FPS, SECONDS] = [24, 0.5];

/** The shortest allowed video. */
const FILM = {
  title: 'A title',
  scenes: [{ kind: 'title', text: 'A title', seconds: SECONDS }],
  resolution: 480,
  fps: FPS,
  soundtrack: 'none',
};

const POLL_MS = 20;

/** The quota of each account: small, so that a lost unit shows. */
const QUOTA = 3;

/** Moments at which the service confirms something, which must hold from then on. */
export type UserMoment = 'account' | 'picture' | 'accepted' | 'ready' | 'downloaded';

interface Account {
  readonly email: string;
  readonly key: string;
  readonly videos: Video[];
}

interface Video {
  readonly id: string;
  isReady: boolean;
  sha256: string | null;
}

const ignoreMoment = (): Promise<void> => Promise.resolve();

/**
 * A user of the local service, through its pages, its API and its commands only, who remembers what
 * it confirmed before each power cut.
 */
export class ServiceUser {
  readonly #service: PoweredService;
  readonly #folder: string;
  readonly #accounts: Account[] = [];
  readonly #pictures = new Map<string, Buffer>();
  /** The session in the studio. */
  #session: { readonly cookie: string; readonly token: string } | null = null;
  #client: Client | undefined;
  #count = 0;
  #onMoment: (moment: UserMoment) => Promise<void> = ignoreMoment;

  /** @param folder on a disk that keeps its power */
  constructor(service: PoweredService, folder: string) {
    this.#service = service;
    this.#folder = folder;
  }

  /** Videos that were accepted. */
  get videos(): readonly Video[] {
    return this.#accounts.flatMap(({ videos }) => videos);
  }

  /**
   * Uses the service that has just started, until its power is cut or the quota is used up.
   * @param onMoment awaited after each confirmation
   */
  async use(onMoment: (moment: UserMoment) => Promise<void>): Promise<void> {
    this.#onMoment = onMoment;
    try {
      await this.#addPicture();
      const account = await this.#accountToUse();
      // A single video, so that no later write also brings its name to the disk.
      if (await this.#requestVideo(account)) await this.#watchAll(account);
      while (await this.#requestVideo(account));
      await this.#watchAll(account);
    } catch (error) {
      if (!this.#service.isCut) throw error;
    } finally {
      // A later confirmation, in `finish`, is none of this use's.
      this.#onMoment = ignoreMoment;
    }
  }

  /** Checks everything that was confirmed, after a restart of the service. */
  async check({ url, studioUrl, caFile }: StartedService): Promise<void> {
    // The authority of the first start must stay the same.
    const pinned = path.join(this.#folder, 'authority.pem');
    if (!existsSync(pinned)) copyFileSync(caFile, pinned);
    this.#client?.close();
    this.#client = new Client(url, pinned, studioUrl);
    for (const account of this.#accounts) {
      await this.#ask('/api/v1/video/status/unknown', account, 404);
      for (const video of account.videos) await this.#assertKept(account, video);
    }
    if (this.#session) {
      for (const [id, bytes] of this.#pictures) {
        const { cookie } = this.#session;
        const kept = await this.#connected.ask(`/studio/images/${id}`, { headers: { cookie } });
        expect(kept.status, `picture ${id}`).toBe(200);
        expect(kept.bytes.equals(bytes), `picture ${id} is as it was uploaded`).toBe(true);
      }
    }
  }

  /** Waits for all videos, and checks each. */
  async finish(): Promise<void> {
    for (const account of this.#accounts) {
      await this.#watchAll(account);
      for (const video of account.videos) await this.#assertKept(account, video);
    }
  }

  close(): void {
    this.#client?.close();
  }

  get #connected(): Client {
    if (!this.#client) throw new Error('The service was not started.');
    return this.#client;
  }

  async #confirmed(moment: UserMoment): Promise<void> {
    await this.#onMoment(moment);
    if (this.#service.isCut) throw new Error('The power failed.');
  }

  async #addPicture(): Promise<void> {
    const connected = { client: this.#connected };
    if (!this.#session) {
      const session = await signUp(connected);
      if (!session.token) throw new Error('The sign-up failed.');
      this.#session = session;
      await this.#confirmed('account');
    }
    const bytes = blankPng(500, 10 + (this.#count += 1));
    const { image } = await uploadPicture(connected, this.#session, bytes);
    if (image === '') throw new Error('The picture was not kept.');
    this.#pictures.set(image, bytes);
    await this.#confirmed('picture');
  }

  /** The last account, as long as it has quota. */
  async #accountToUse(): Promise<Account> {
    const last = this.#accounts.at(-1);
    if (last && last.videos.length < QUOTA) return last;
    const email = `user-${(this.#count += 1)}@example.com`;
    const options = ['--email', email, '--plan', 'starter', '--videos', String(QUOTA)];
    await this.#service.command('account', 'add', ...options);
    const made = await this.#service.command('key', 'create', '--account', email, '--name', 'k');
    if (!made?.key) throw new Error('There is no key.');
    const account = { email, key: made.key, videos: [] };
    this.#accounts.push(account);
    await this.#confirmed('account');
    return account;
  }

  /** @returns false once the quota is used up */
  async #requestVideo(account: Account): Promise<boolean> {
    const { key, videos } = account;
    const answer = await this.#connected.post('/api/v1/video/generate', FILM, { 'x-api-key': key });
    if (answer.status === 403) {
      // A request whose response was cut off may count too.
      expect(answer.json.details?.used).toBe(QUOTA);
      return false;
    }
    expect(answer.status, answer.bytes.toString()).toBe(200);
    videos.push({ id: String(answer.json.id), isReady: false, sha256: null });
    expect(videos.length, 'videos of one quota').toBeLessThanOrEqual(QUOTA);
    await this.#confirmed('accepted');
    return true;
  }

  async #watchAll(account: Account): Promise<void> {
    for (const video of account.videos) await this.#watch(account, video);
  }

  async #watch(account: Account, video: Video): Promise<void> {
    while (!video.isReady) {
      const { json } = await this.#ask(`/api/v1/video/status/${video.id}`, account, 200);
      expect(json.status, `${video.id} fails: ${String(json.error)}`).not.toBe('failed');
      video.isReady = json.status === 'done';
      // Polling without a pause would take processor time from rendering.
      if (!video.isReady) await delay(POLL_MS);
    }
    if (video.sha256 !== null) return;
    await this.#confirmed('ready');
    const bytes = await this.#download(account, video);
    video.sha256 = sha256(bytes);
    await this.#confirmed('downloaded');
  }

  async #assertKept(account: Account, video: Video): Promise<void> {
    const { json } = await this.#ask(`/api/v1/video/status/${video.id}`, account, 200);
    if (json.status !== 'done') {
      expect(video.isReady, `${video.id} was ready and is ${String(json.status)}`).toBe(false);
      return;
    }
    const bytes = await this.#download(account, video);
    if (video.sha256 === null) expect(await this.#framesOf(bytes)).toBe(String(FPS * SECONDS));
    else expect(sha256(bytes), `${video.id} is another file`).toBe(video.sha256);
  }

  async #download(account: Account, { id }: Video): Promise<Buffer> {
    const { json } = await this.#ask(`/api/v1/video/download/${id}`, account, 200);
    const file = await this.#connected.ask(String(json.downloadUrl));
    expect(file.status, `the file of ${id}: ${file.bytes.toString().slice(0, 200)}`).toBe(200);
    return file.bytes;
  }

  async #ask(target: string, { key, email }: Account, status: number): Promise<Answer> {
    const answer = await this.#connected.ask(target, { headers: { 'x-api-key': key } });
    const said = `${target} for ${email}: ${answer.bytes.toString().slice(0, 200)}`;
    expect(answer.status, said).toBe(status);
    return answer;
  }

  /** The number of frames, as ffprobe decodes them. */
  async #framesOf(bytes: Buffer): Promise<string> {
    const file = path.join(this.#folder, 'checked.mp4');
    writeFileSync(file, bytes);
    const { stdout } = await promisify(execFile)('ffprobe', [
      '-v',
      'error',
      '-count_frames',
      '-select_streams',
      'v:0',
      '-show_entries',
      'stream=nb_read_frames',
      '-of',
      'csv=p=0',
      file,
    ]);
    return stdout.trim();
  }
}
