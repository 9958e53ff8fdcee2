/**
 * `npm run dev`: runs the app from its sources in a browser. The page is reloaded hot; the engine
 * is restarted when its sources change. Arguments are those of `spool web`
 * (`npm run dev -- --service https://…`); the queue is in `.dev`, unless `--data-dir` names another
 * folder.
 */
import path from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { hostLinkIn, openHostLink, startDevServer, type HostSession } from './dev/dev-server.ts';
import { RestartedProgram } from './dev/restarted-program.ts';

const REPOSITORY = path.join(import.meta.dirname, '..');
const inRepository = (...names: string[]): string => path.join(REPOSITORY, ...names);

/** Always the same, so that an open page reconnects after a restart. */
const PORT = 5199;

const given = process.argv.slice(2);
const dataDir = given.some((argument) => /^--data-dir(?:=|$)/.test(argument))
  ? []
  : ['--data-dir', inRepository('.dev')];

let host: HostSession | null = null;

const server = await startDevServer({
  pageFolder: inRepository('src', 'renderer'),
  allowed: ['src', 'resources', 'node_modules'].map((name) => inRepository(name)),
  plugins: [svelte({ configFile: false })],
  port: PORT,
  host: () => host,
});

const engine = new RestartedProgram({
  args: [inRepository('src', 'cli', 'main.ts'), 'web', '--without-page', ...dataDir, ...given],
  watched: ['contract', 'engine', 'host', 'cli', 'local-service'].map((layer) =>
    inRepository('src', layer),
  ),
  onLine(line) {
    const link = hostLinkIn(line);
    if (link === null) {
      // The web host prints its next link, which is not for users here.
      if (!line.startsWith('The link was used.')) console.log(line);
      return;
    }
    void openHostLink(link).then((session) => {
      host = session;
      console.log(`The engine is running. The page: ${server.link}`);
    });
  },
  onEnd(why, code) {
    host = null;
    if (why === 'restart') console.log('The engine’s sources changed; starting it again …');
    if (why === 'exit') {
      console.log(
        `The engine ended (${code ?? 'killed'}). It starts again when its sources change.`,
      );
    }
  },
});

async function stop(signal: NodeJS.Signals): Promise<void> {
  await Promise.all([engine.stop(signal), server.close()]);
}

// A terminal sends Ctrl-C to the engine as well, and a second signal would end it at once.
process.once('SIGINT', () => void stop('SIGCONT'));
process.once('SIGTERM', () => void stop('SIGTERM'));
