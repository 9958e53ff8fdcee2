/** Milliseconds. */
const MINUTE = 60_000;
/** What is estimated to come within it comes “in a moment”; many rows do not, one after another. */
const MOMENT = 15_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Local days begin only at multiples of this: zones are whole quarters of an hour apart. */
const QUARTER = 15 * MINUTE;
/** The cache of midnights is cleared at this size: a table shows fewer times. */
const MAX_CACHED_QUARTERS = 2000;
/** A range that is narrower is said in minutes from now, and not as times of day. */
const MIN_RANGE = 2 * MINUTE;
/** A range whose ends are nearer to each other, as parts of the time left, is said as one time. */
const MIN_RATIO = 1.5;
/** A range that is wider has times of whole five minutes. */
const EXACT_RANGE = 10 * MINUTE;
/** "in 59 min" is the longest relative time: sixty minutes are an hour. */
const LAST_MINUTE = 59 * MINUTE;

/** The words and the locale of times. */
export interface TimeWords {
  /** BCP 47. */
  readonly locale: string;
  readonly now: string;
  readonly soon: string;
  readonly inMinutes: (minutes: number) => string;
  readonly inAboutMinutes: (minutes: number) => string;
  readonly inMinutesBetween: (from: number, to: number) => string;
  readonly about: (moment: string) => string;
  /** Of two times of day: “between 14:15 and 14:25”. */
  readonly between: (from: string, to: string) => string;
  readonly minutesAgo: (minutes: number) => string;
  readonly hours: (hours: number) => string;
  readonly minutes: (minutes: number) => string;
  readonly seconds: (seconds: number) => string;
  /** Times within a sentence: “at 14:20”, “on Tue at 14:20”, “on 1 Dec”. */
  readonly at: MomentWords;
  /** The same for an estimate. */
  readonly atAbout: MomentWords;
}

interface MomentWords {
  readonly clock: (clock: string) => string;
  readonly weekday: (weekday: string, clock: string) => string;
  readonly date: (date: string) => string;
}

/** Formats times and durations. How near a time is decides its format. */
export class Times {
  readonly #words: TimeWords;
  readonly #clock: Intl.DateTimeFormat;
  readonly #weekday: Intl.DateTimeFormat;
  readonly #date: Intl.DateTimeFormat;
  readonly #monthDay: Intl.DateTimeFormat;
  readonly #dateWithYear: Intl.DateTimeFormat;
  readonly #exact: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;
  /** Cached local midnights as if they were UTC, in milliseconds, by quarter of an hour. */
  readonly #midnights = new Map<number, number>();

  /** @param timeZone IANA name; by default the computer's zone */
  constructor(words: TimeWords, timeZone?: string) {
    const zone = timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
      new Intl.DateTimeFormat(words.locale, { timeZone: zone, hourCycle: 'h23', ...options });
    this.#words = words;
    this.#clock = format({ hour: '2-digit', minute: '2-digit' });
    this.#weekday = format({ weekday: 'short' });
    this.#monthDay = new Intl.DateTimeFormat('en', { timeZone: zone, day: 'numeric' });
    this.#date = format({ day: 'numeric', month: 'short' });
    this.#dateWithYear = format({ day: 'numeric', month: 'short', year: 'numeric' });
    this.#exact = format({ dateStyle: 'full', timeStyle: 'medium' });
    this.#day = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    });
  }

  /** "in 12 min" within the hour, "14:20" today, "Tue 14:20" within a week, "1 Dec" beyond. */
  moment(at: number, now: number): string {
    const away = at - now;
    if (Math.abs(away) <= LAST_MINUTE) return this.#relative(away);
    return this.clock(at, now);
  }

  /** As `moment`, for an estimate: "in about 12 min", "about Tue 14:20". */
  estimate(at: number, now: number): string {
    const away = at - now;
    if (away < MOMENT) return this.#words.soon;
    return away <= LAST_MINUTE
      ? this.#words.inAboutMinutes(Math.ceil(away / MINUTE))
      : this.#words.about(this.clock(at, now));
  }

  /** As `moment`, but never relative: for a column of times. */
  clock(at: number, now: number): string {
    const days = this.#dayNumber(at) - this.#dayNumber(now);
    if (days === 0) return this.#clock.format(at);
    if (Math.abs(days) < 7)
      return `${this.#withoutStop(this.#weekday, at)} ${this.#clock.format(at)}`;
    return this.date(at, now);
  }

  /** As `moment`, within a sentence: "in 12 min", "at 14:20", "on Tue at 14:20", "on 1 Dec". */
  momentInSentence(at: number, now: number): string {
    const away = at - now;
    return Math.abs(away) <= LAST_MINUTE ? this.#relative(away) : this.#inSentence(at, now, 'at');
  }

  /** As `estimate`, within a sentence: "in about 12 min", "at about 14:20", "about 1 Dec". */
  estimateInSentence(at: number, now: number): string {
    return at - now <= LAST_MINUTE ? this.estimate(at, now) : this.#inSentence(at, now, 'atAbout');
  }

  /**
   * An estimated end within a sentence: “between 14:15 and 14:25” or “in 1 to 3 min” where it is too
   * uncertain for one time, else as `estimateInSentence`.
   * @param between `null` if it is not known how uncertain it is
   */
  endInSentence(
    at: number,
    between: { readonly from: number; readonly to: number } | null,
    now: number,
  ): string {
    const width = between === null ? 0 : between.to - between.from;
    const isThisWeek = (moment: number): boolean =>
      Math.abs(this.#dayNumber(moment) - this.#dayNumber(now)) < 7;
    if (between === null || !isThisWeek(between.to)) return this.estimateInSentence(at, now);
    if (width < MIN_RANGE) return this.#nearEnd(at, between.from - now, between.to - now, now);
    const step = width > EXACT_RANGE ? 5 * MINUTE : MINUTE;
    const [from, to] = [between.from, between.to].map((moment) => Math.round(moment / step) * step);
    return this.#words.between(this.clock(from ?? at, now), this.clock(to ?? at, now));
  }

  /** @param from the range of `at`, like `to` in milliseconds from `now` */
  #nearEnd(at: number, from: number, to: number, now: number): string {
    if (to < MOMENT || to < MIN_RATIO * from) return this.estimateInSentence(at, now);
    const [first, last] = [Math.ceil(Math.max(1, from) / MINUTE), Math.ceil(to / MINUTE)];
    return first === last
      ? this.#words.inAboutMinutes(last)
      : this.#words.inMinutesBetween(first, last);
  }

  /** "1 Dec", with the year if it is not the current one. */
  date(at: number, now: number): string {
    const sameYear = this.#year(at) === this.#year(now);
    return this.#withoutStop(sameYear ? this.#date : this.#dateWithYear, at);
  }

  /** "14:00" or "Tue 24": a mark on an axis of hours or of days. */
  mark(at: number, unit: 'hour' | 'day'): string {
    return unit === 'hour'
      ? this.#clock.format(at)
      : `${this.#withoutStop(this.#weekday, at)} ${this.#monthDay.format(at)}`;
  }

  /** The full date and time, for hovering. */
  exact(at: number): string {
    return this.#exact.format(at);
  }

  /** "40 s" or "21 min": how long something takes, at least a second. */
  duration(ms: number): string {
    return ms <= 90_000
      ? this.#words.seconds(Math.max(1, Math.round(ms / 1000)))
      : this.#words.minutes(Math.round(ms / MINUTE));
  }

  /** "40 s", "2 min 10 s" or "2 h 10 min": how long something took. */
  took(ms: number): string {
    const seconds = Math.max(1, Math.round(ms / 1000));
    const minutes = Math.floor(seconds / 60);
    if (minutes === 0) return this.#words.seconds(seconds);
    const [whole, rest] =
      minutes < 60
        ? [this.#words.minutes(minutes), seconds % 60]
        : [this.#words.hours(Math.floor(minutes / 60)), minutes % 60];
    if (rest === 0) return whole;
    return `${whole} ${minutes < 60 ? this.#words.seconds(rest) : this.#words.minutes(rest)}`;
  }

  /** "21 min" or "40 s" left until `at`; the time itself if that is over an hour away. */
  left(at: number, now: number): string {
    const away = Math.max(0, at - now);
    if (away <= 90_000) return this.#words.seconds(Math.ceil(away / 1000));
    // A rate window is an hour long, so its countdown starts at 60 min.
    if (away <= HOUR) return this.#words.minutes(Math.ceil(away / MINUTE));
    return this.clock(at, now);
  }

  /** "0:06", "4:20" or "1:02:09": the length of a video or a transfer. */
  span(seconds: number): string {
    const whole = Math.round(seconds);
    const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    const shown = parts[0] === 0 ? parts.slice(1) : parts;
    return shown
      .map((part, index) => (index === 0 ? `${part}` : `${part}`.padStart(2, '0')))
      .join(':');
  }

  #inSentence(at: number, now: number, how: 'at' | 'atAbout'): string {
    const words = this.#words[how];
    const days = this.#dayNumber(at) - this.#dayNumber(now);
    const clock = this.#clock.format(at);
    if (days === 0) return words.clock(clock);
    if (Math.abs(days) < 7) return words.weekday(this.#withoutStop(this.#weekday, at), clock);
    return words.date(this.date(at, now));
  }

  #relative(away: number): string {
    if (away >= 0) {
      const minutes = Math.ceil(away / MINUTE);
      return away < MINUTE ? this.#words.soon : this.#words.inMinutes(minutes);
    }
    const minutes = Math.floor(-away / MINUTE);
    return minutes === 0 ? this.#words.now : this.#words.minutesAgo(minutes);
  }

  /** The number of the local day, independent of summer time. */
  #dayNumber(at: number): number {
    return Math.round(this.#localMidnightAsUtc(at) / DAY);
  }

  #localMidnightAsUtc(at: number): number {
    const quarter = Math.floor(at / QUARTER);
    const known = this.#midnights.get(quarter);
    if (known !== undefined) return known;
    if (this.#midnights.size >= MAX_CACHED_QUARTERS) this.#midnights.clear();
    const midnight = this.#computeMidnight(at);
    this.#midnights.set(quarter, midnight);
    return midnight;
  }

  #computeMidnight(at: number): number {
    const parts = this.#day.formatToParts(at);
    const number = (type: string): number =>
      Number(parts.find((part) => part.type === type)?.value ?? 0);
    return Date.UTC(number('year'), number('month') - 1, number('day'));
  }

  #year(at: number): number {
    return new Date(this.#localMidnightAsUtc(at)).getUTCFullYear();
  }

  /** Without the full stop that German puts after short weekdays and months. */
  #withoutStop(format: Intl.DateTimeFormat, at: number): string {
    return format
      .formatToParts(at)
      .map((part) =>
        part.type === 'weekday' || part.type === 'month'
          ? part.value.replace(/\.$/, '')
          : part.value,
      )
      .join('');
  }
}
