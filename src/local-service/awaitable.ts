/**
 * The result of an asynchronous port. Callers always `await` it. An adapter that needs no I/O
 * returns the value without a promise: the embedded service reads memory and SQLite synchronously.
 */
export type Awaitable<T> = T | Promise<T>;
