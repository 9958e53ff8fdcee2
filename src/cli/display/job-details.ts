import type { Amount } from '../../contract/amount.ts';
import { JOB_EVENT_WORDS } from '../../contract/job-events.ts';
import type { JobDetails } from '../../contract/job.ts';
import { amountWords } from './service-words.ts';
import { paint, type Canvas } from './canvas.ts';
import { nextStepText } from './job-line.ts';
import { formatTimestamp } from './numbers.ts';
import { relativePath } from './report.ts';
import { failureText } from './failure-text.ts';
import { jobLabel } from './state-labels.ts';
import { plainText } from './safe-text.ts';
import { cells } from './text-cells.ts';
import { waitSentence } from './wait-text.ts';

/** All details of one job, in sections: its properties, its request, its history. */
export function jobDetails(details: JobDetails, from: string, now: number, canvas: Canvas): string {
  const { job, request, requestSha256, lastAnswer, history } = details;
  const { shape, word, colour } = jobLabel(job);
  const more = nextStepText(job, now);
  const state = paint(canvas, colour, `${shape} ${word}`) + (more === '' ? '' : `, ${more}`);
  const row = job.row === null ? '' : `, row ${job.row}`;
  const facts: (readonly [string, string | null])[] = [
    ['state', state],
    ['waits', job.wait === null ? null : plainText(waitSentence(job.wait, now))],
    ['why', job.failure === null ? null : failureText(job.failure)],
    ['check', job.notice === null ? null : plainText(job.notice.message)],
    ['batch', `${plainText(job.batchName)}${row}`],
    ['at the service', job.remoteId === null ? null : idText(job.remoteId, job.serviceWord)],
    ['cost', costText(details.cost)],
    ['added', formatTimestamp(job.addedAt)],
    ['accepted', job.submittedAt === null ? null : formatTimestamp(job.submittedAt)],
    ['rendered', job.readyAt === null ? null : formatTimestamp(job.readyAt)],
    ['saved', job.savedAt === null ? null : formatTimestamp(job.savedAt)],
    ['file', job.file === null ? null : relativePath(job.file.path, from)],
    ['file SHA-256', job.file?.sha256 ?? null],
    ['request SHA-256', requestSha256],
  ];
  const past = history.map(({ at, event, note }) => {
    const why = note === null ? '' : `, ${plainText(note.message)}`;
    return `${formatTimestamp(at)}  ${JOB_EVENT_WORDS[event].en}${why}`;
  });
  return [
    paint(canvas, 'bold', plainText(job.title)),
    ...aligned(facts, canvas),
    ...section('request', JSON.stringify(request, null, 2).split('\n'), canvas),
    ...section('history', past, canvas),
    ...(lastAnswer === null ? [] : section('last response', lastAnswer.split('\n'), canvas)),
  ].join('\n');
}

function costText({ actual, estimated }: JobDetails['cost']): string | null {
  const words = ({ amount, unit, currency }: Amount): string => amountWords(amount, unit, currency);
  if (actual === null) return estimated && `${words(estimated)} (estimated)`;
  return estimated === null ? words(actual) : `${words(actual)} (estimated: ${words(estimated)})`;
}

function idText(remoteId: string, serviceWord: string | null): string {
  return plainText(serviceWord === null ? remoteId : `${remoteId} (status “${serviceWord}”)`);
}

function aligned(facts: readonly (readonly [string, string | null])[], canvas: Canvas): string[] {
  const known = facts.filter((fact): fact is readonly [string, string] => fact[1] !== null);
  const width = Math.max(...known.map(([name]) => cells(name)));
  return known.map(([name, value]) => `${paint(canvas, 'dim', name.padEnd(width))}  ${value}`);
}

function section(name: string, lines: readonly string[], canvas: Canvas): string[] {
  return ['', paint(canvas, 'dim', name), ...lines.map((line) => `  ${indented(line)}`)];
}

/** Keeps leading spaces, which are JSON's indentation. */
function indented(line: string): string {
  const text = line.trimStart();
  return ' '.repeat(line.length - text.length) + plainText(text);
}
