/**
 * How much the service on this computer renders at a time: nothing while everything is paused, and
 * half as much while the user wants less power to be used. Outlives the service's process, which
 * receives the number at every start.
 */
import type { Settings } from '../contract/settings.ts';
import type { RunningLocalService } from './local-service.ts';
import { rendersAtOnce } from './renders-at-once.ts';

type Process = Pick<RunningLocalService, 'rendersAtOnce' | 'renderAtOnce'>;

export class LocalRenderer {
  readonly #lessPower: () => Settings['lessPower'];
  readonly #isOnBattery: () => boolean;
  #process: Process | null = null;
  /** A process that starts renders nothing until a session says that it may. */
  #isPaused = true;
  #sentCount: number | null = null;

  constructor(
    lessPower: () => Settings['lessPower'] = () => 'never',
    isOnBattery: () => boolean = () => false,
  ) {
    this.#lessPower = lessPower;
    this.#isOnBattery = isOnBattery;
  }

  /** Videos rendered at a time, unless paused; at least 1. */
  get rendersAtOnce(): number {
    const all = this.#process?.rendersAtOnce ?? rendersAtOnce();
    return this.#usesLessPower ? Math.max(1, Math.floor(all / 2)) : all;
  }

  get #usesLessPower(): boolean {
    const when = this.#lessPower();
    return when === 'always' || (when === 'on-battery' && this.#isOnBattery());
  }

  /** A process has started, which renders nothing so far. */
  attach(process: Process): void {
    this.#process = process;
    this.#sentCount = null;
    this.update();
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.update();
  }

  /** To be called when the setting or the power supply may have changed. */
  update(): void {
    const count = this.#isPaused ? 0 : this.rendersAtOnce;
    if (this.#process === null || count === this.#sentCount) return;
    this.#sentCount = count;
    this.#process.renderAtOnce(count);
  }
}
