import type { Client } from '../../../src/contract/contract.ts';
import { SeededRandom } from '../seeded-random.ts';

const MIN_MS = 20;
const MAX_MS = 250;

/**
 * A client whose calls arrive at once and in order, as over a connection, and whose responses and
 * events are late: those to calls of one name in order, as the events of a stream, and all others
 * independently.
 */
export function lateClient(client: Client, seed: number): Client {
  const random = new SeededRandom(seed);
  // A test that stops the page's clock does not stop the engine's.
  const wait = window.setTimeout.bind(window);
  const late = (): Promise<void> =>
    new Promise((resolve) => {
      wait(resolve, random.between(MIN_MS, MAX_MS));
    });

  const answered = new Map<string, Promise<unknown>>();

  async function* lateEvents(events: AsyncIterable<unknown>): AsyncGenerator<unknown, void, void> {
    for await (const event of events) {
      await late();
      yield event;
    }
  }

  const slowed = <Target extends object>(target: Target, path = ''): Target =>
    new Proxy(target, {
      get(_, key: string) {
        const value: unknown = Reflect.get(target, key);
        const name = path + key;
        if (typeof value === 'function') {
          return async (...input: unknown[]): Promise<unknown> => {
            const before = answered.get(name);
            const call = Promise.resolve(Reflect.apply(value, target, input) as unknown);
            const answering = (async () => {
              await Promise.allSettled([call]);
              await late();
              await before;
              return call;
            })();
            answered.set(
              name,
              answering.catch(() => undefined),
            );
            const answer: unknown = await answering;
            return isIterable(answer) ? lateEvents(answer) : answer;
          };
        }
        return typeof value === 'object' && value !== null ? slowed(value, `${name}.`) : value;
      },
    });
  return slowed(client);
}

const isIterable = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
