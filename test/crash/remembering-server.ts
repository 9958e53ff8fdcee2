import type { TLSSocket } from 'node:tls';
import type { Clock } from '../../src/engine/clock.ts';
import {
  RememberingService,
  type HttpAnswer,
  type RememberedVideo,
  type ServiceTraits,
} from '../rigs/remembering-service.ts';
import { textAnswer, type ScriptedService, type ServiceRequest } from '../rigs/scripted-service.ts';
import type { SeededRandom } from '../rigs/seeded-random.ts';
import { seededVideo, type SeededVideo } from '../rigs/seeded-video.ts';
import { KillSwitch, type KillableService } from './killing-service.ts';

const VIDEO_BYTES = 2000;

/**
 * A `RememberingService` on a real TLS socket, which can kill its client at an exact moment.
 */
export class RememberingServer implements KillableService {
  readonly killSwitch = new KillSwitch();
  readonly #service: RememberingService;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #wire: ScriptedService;

  constructor(
    clock: Pick<Clock, 'now'>,
    wire: ScriptedService,
    traits: ServiceTraits,
    random: SeededRandom,
  ) {
    this.#clock = clock;
    this.#wire = wire;
    this.#service = new RememberingService(traits, () => clock.now(), random);
    this.#service.filesUrl = `${wire.url}/files`;
    wire.script = (request, socket) => this.#answer(request, socket);
    wire.onSecure = () => void this.killSwitch.killAt('connected');
  }

  get url(): string {
    return this.#wire.url;
  }

  get ca(): string {
    return this.#wire.ca;
  }

  /** How often a video of this title was accepted. */
  paidFor(title: string): number {
    return this.#service.paidFor(title);
  }

  videoOf(id: string | null): RememberedVideo | undefined {
    return this.#service.videos.find((video) => video.id === id);
  }

  /** Hash of the file that is downloaded for a video. */
  sha256Of(id: string | null): string {
    return fileOf(id ?? '').sha256;
  }

  stop(): Promise<void> {
    return this.#wire.stop();
  }

  #answer({ method, path, headers, body }: ServiceRequest, socket: TLSSocket): void {
    const { pathname, searchParams } = new URL(path, this.url);
    const id = pathname.split('/').at(-1) ?? '';
    if (method === 'POST') {
      if (this.killSwitch.killAt('request-before')) return;
      const answer = this.#service.generate(body, headers.get('idempotency-key'));
      if (this.killSwitch.killAt('request-after')) return;
      this.killSwitch.write(this.#text(answer), socket);
    } else if (pathname === '/v1/videos') {
      socket.write(this.#text(this.#service.list(searchParams.get('after'))));
    } else if (pathname.startsWith('/v1/')) {
      socket.write(this.#text(this.#service.status(id)));
    } else {
      const { bytes } = fileOf(id);
      const head = `HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: ${bytes.length}`;
      socket.write(`${head}\r\n\r\n`);
      socket.write(bytes);
    }
  }

  #text({ status, body }: HttpAnswer): string {
    return textAnswer(status, body, {
      'Content-Type': 'application/json',
      Date: new Date(this.#clock.now()).toUTCString(),
    });
  }
}

function fileOf(id: string): SeededVideo {
  return seededVideo(Number(id.replace('video-', '')), VIDEO_BYTES);
}
