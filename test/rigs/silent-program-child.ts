/** A program that ignores its arguments and whatever it is told. */
process.on('SIGTERM', () => undefined);
setInterval(() => undefined, 60_000);
