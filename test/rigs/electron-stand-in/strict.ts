import { EventEmitter } from 'node:events';

/** Reading a property that this stand-in lacks throws an error with its name. */
export function strict<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get(object, property) {
      // Properties that the language itself reads on any object that is awaited, printed or spread.
      const isAsked = typeof property === 'string' && property !== 'then' && property !== 'toJSON';
      if (isAsked && !(property in object)) {
        throw new Error(`The stand-in for Electron has no ${name}.${property}.`);
      }
      const value: unknown = Reflect.get(object, property, object);
      return typeof value === 'function' && !isClass(value)
        ? (value as (...args: unknown[]) => unknown).bind(object)
        : value;
    },
  });
}

/** Emits the named events; listening to another one throws, because it would never be emitted. */
export class KnownEvents extends EventEmitter {
  readonly #name: string;
  readonly #events: readonly string[];

  constructor(name: string, events: readonly string[]) {
    super();
    this.#name = name;
    this.#events = events;
    this.on('newListener', (event: string) => {
      if (this.#events.includes(event) || event === 'newListener') return;
      throw new Error(`The stand-in for Electron has no event “${event}” of ${this.#name}.`);
    });
  }

  /** Emits an event whose listeners may prevent its default; returns whether one did. */
  isPrevented(event: string, details: object = {}): boolean {
    let prevented = false;
    this.emit(event, {
      ...details,
      preventDefault: () => {
        prevented = true;
      },
    });
    return prevented;
  }
}

function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}
