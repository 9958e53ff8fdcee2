/**
 * Compares the downloader with curl, wget and aria2 (one connection), from nginx on loopback to
 * disk:
 *
 *     npm run bench:download [-- --mebibytes 1024 --rounds 5]
 *
 * Each download is a separate process, whose start counts, and ends when the file is on the disk:
 * `sync` of their file follows curl, wget and aria2. The table also has a curl that ends with the
 * bytes in the system's cache. Spool also verifies the file and hashes it with SHA-256. The tools
 * alternate, and each round's throughput is compared with curl's in the same round, since other
 * programs disturb the measurements; the median counts. Targets: at least 0.85 of curl's
 * throughput, more than wget and aria2, at most 120 MiB of memory whatever the size.
 *
 * Needs Debian's packages nginx-light, curl, wget, aria2 and time.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeLargeVideo } from './download/large-video.ts';
import { startNginx } from './download/nginx.ts';
import { measure, TOOLS, type Cost, type DownloadTask } from './download/tools.ts';

const MIN_SHARE_OF_CURL = 0.85;
const MAX_MEBIBYTES = 120;

type ToolName = keyof typeof TOOLS;
const names = Object.keys(TOOLS) as readonly ToolName[];

const { values } = parseArgs({
  options: {
    mebibytes: { type: 'string', default: '1024' },
    rounds: { type: 'string', default: '5' },
  },
});
const bytes = Number(values.mebibytes) * 1024 * 1024;
const rounds = Number(values.rounds);

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
}

type Round = Readonly<Record<ToolName, Cost>>;

async function runRound(task: DownloadTask, first: number): Promise<Round> {
  const round: Partial<Record<ToolName, Cost>> = {};
  // The first tool finds the disk idle, so a different one goes first in each round.
  for (const name of [...names.slice(first), ...names.slice(0, first)]) {
    round[name] = await measure(TOOLS[name], task, bytes);
  }
  return round as Round;
}

/** A tool's throughput divided by curl's; the median of the rounds. */
function shareOfCurl(all: readonly Round[], name: ToolName): number {
  return median(all.map((round) => round.curl.seconds / round[name].seconds));
}

function report(protocol: string, all: readonly Round[]): boolean {
  console.log(`\n${protocol}: ${values.mebibytes} MiB, median of ${rounds} rounds`);
  console.log('                 MiB/s   of curl   CPU s/GiB   peak MiB');
  for (const name of names) {
    const costs = all.map((round) => round[name]);
    const speed = median(costs.map(({ seconds }) => bytes / 2 ** 20 / seconds));
    const cpu = median(costs.map(({ cpuSeconds }) => (cpuSeconds * 2 ** 30) / bytes));
    const peak = Math.max(...costs.map(({ mebibytes }) => mebibytes));
    console.log(
      name.padEnd(14) +
        speed.toFixed(0).padStart(8) +
        shareOfCurl(all, name).toFixed(2).padStart(10) +
        cpu.toFixed(2).padStart(12) +
        peak.toFixed(0).padStart(11),
    );
  }
  const ours = shareOfCurl(all, 'spool');
  const peakMebibytes = Math.max(...all.map(({ spool }) => spool.mebibytes));
  const isMet =
    ours >= MIN_SHARE_OF_CURL &&
    ours > shareOfCurl(all, 'wget') &&
    ours > shareOfCurl(all, 'aria2') &&
    peakMebibytes <= MAX_MEBIBYTES;
  console.log(isMet ? 'All targets are met.' : 'A target is missed.');
  return isMet;
}

const home = await mkdtemp(path.join(tmpdir(), 'spool-bench-'));
try {
  const nginx = await startNginx(home);
  try {
    await writeLargeVideo(path.join(nginx.folder, 'film.mp4'), bytes);
    const target = path.join(home, 'fetched.mp4');
    for (const [protocol, origin] of Object.entries({ HTTP: nginx.http, HTTPS: nginx.https })) {
      const task = { url: `${origin}/film.mp4`, target, caFile: nginx.caFile };
      const all: Round[] = [];
      while (all.length < rounds) all.push(await runRound(task, all.length % names.length));
      if (!report(protocol, all)) process.exitCode = 1;
    }
  } finally {
    await nginx.stop();
  }
} finally {
  await rm(home, { recursive: true, force: true });
}
