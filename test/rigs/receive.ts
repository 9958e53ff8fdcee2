/** An array that receives the items of a stream as they arrive. */
export function receive<T>(stream: Promise<AsyncIterable<T>>): readonly T[] {
  const all: T[] = [];
  void (async () => {
    for await (const each of await stream) all.push(each);
  })().catch(() => undefined);
  return all;
}

/** The items of a stream, once it has ended. */
export async function receiveAll<T>(stream: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const each of stream) all.push(each);
  return all;
}
