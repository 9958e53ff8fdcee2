import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { EngineEvent } from '../crash/engine-instructions.ts';
import type { KillingService } from '../crash/killing-service.ts';
import type { StoredJob } from '../crash/world.ts';

/** The temporary name of a file that is being renamed. */
const TEMPORARY_NAME = / \(renaming \d+\)\.mp4$/;

interface FoundFile {
  readonly sha256: string;
  readonly bytes: number;
  readonly inode: number;
}

/**
 * Remembers which videos the engine reported as saved, and checks that the disk has them. It uses
 * the events that the engine reported before its end and the service's responses, but none of the
 * engine's files.
 */
export class SavedVideos {
  readonly #folder: string;
  readonly #service: KillingService;
  /** Possible names of each video that was reported as saved, by title. */
  readonly #names = new Map<string, Set<string>>();
  #template = '';

  constructor(folder: string, service: KillingService) {
    this.#folder = folder;
    this.#service = service;
  }

  /** From now on, saved videos may have this name. */
  renameBegins(nameTemplate: string): void {
    this.#template = nameTemplate;
    for (const [title, names] of this.#names) names.add(nameFor(nameTemplate, title));
  }

  record(event: EngineEvent): void {
    switch (event.kind) {
      case 'saved': {
        const name = path.relative(this.#folder, event.path);
        this.#names.set(event.title, new Set([name, nameFor(this.#template, event.title)]));
        return;
      }
      case 'renamed':
        for (const title of event.titles) {
          this.#names.set(title, new Set([nameFor(event.nameTemplate, title)]));
        }
        return;
      case 'added':
      case 'blocked':
      case 'stopped':
    }
  }

  /** @param jobs the queue's jobs in the database */
  assertWhole(jobs: readonly StoredJob[], at: string): void {
    const found = this.#found();
    const namesOf = (title: string): string[] => {
      const expected = this.#service.sha256Of(title);
      return [...found].filter(([, { sha256 }]) => sha256 === expected).map(([name]) => name);
    };
    for (const [name, { sha256, bytes }] of found) {
      const title = /Row \d+/.exec(name)?.[0] ?? '';
      const what = `${name} has ${bytes} bytes and is another file than was downloaded, ${at}`;
      expect(sha256, what).toBe(this.#service.sha256Of(title));
    }
    for (const [title, known] of this.#names) {
      const names = namesOf(title);
      expect(names, `${title} was saved and is gone, ${at}`).not.toEqual([]);
      // One file may have two names in the middle of a move.
      const files = new Set(names.map((name) => found.get(name)?.inode));
      expect(files.size, `${title} is there twice (${names.join(', ')}), ${at}`).toBe(1);
      const unexpected = names.filter((name) => !known.has(name) && !TEMPORARY_NAME.test(name));
      expect(unexpected, `${title} is not called ${[...known].join(' or ')}, ${at}`).toEqual([]);
    }
    for (const { title, state } of jobs) {
      if (state === 'done') expect(namesOf(title), `${title} is done, ${at}`).not.toEqual([]);
    }
  }

  /** All files except those that are still being downloaded, by their path in the folder. */
  #found(): ReadonlyMap<string, FoundFile> {
    if (!existsSync(this.#folder)) return new Map();
    const names = readdirSync(this.#folder, { recursive: true, encoding: 'utf8' });
    return new Map(
      names
        .filter((name) => name.endsWith('.mp4'))
        .map((name) => {
          const file = path.join(this.#folder, name);
          const content = readFileSync(file);
          const sha256 = createHash('sha256').update(content).digest('hex');
          return [name, { sha256, bytes: content.length, inode: statSync(file).ino }];
        }),
    );
  }
}

function nameFor(nameTemplate: string, title: string): string {
  return nameTemplate.replace('{title}', title);
}
