/** A program that ignores its arguments and all signals and messages. */
process.on('SIGTERM', () => undefined);
setInterval(() => undefined, 60_000);
