/**
 * What an asynchronous port returns. Callers always `await` it. An adapter that has its answer at hand
 * returns it without a promise: the embedded service answers from memory and SQLite.
 */
export type Awaitable<T> = T | Promise<T>;
