import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../../src/contract/settings.ts';
import { isOnBatteryHere } from '../../../src/host/battery.ts';
import { LocalRenderer } from '../../../src/host/local-renderer.ts';
import { rendersAtOnce } from '../../../src/host/renders-at-once.ts';
import { rendersAtOnce as rendersOfService } from '../../../src/local-service/renders-at-once.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const GIB = 1024 ** 3;

/** A process that can render `most` videos at a time, and what it was told. */
function processOf(most: number) {
  const told: number[] = [];
  return { rendersAtOnce: most, renderAtOnce: (count: number) => void told.push(count), told };
}

describe('the renderer of this computer', () => {
  test('renders nothing until a session says that it may, also after a restart', () => {
    const renderer = new LocalRenderer();
    const first = processOf(4);
    renderer.attach(first);
    renderer.setPaused(false);
    renderer.setPaused(false);
    renderer.setPaused(true);
    expect(first.told).toEqual([0, 4, 0]);
    const second = processOf(4);
    renderer.attach(second);
    expect(second.told).toEqual([0]);
    expect(renderer.rendersAtOnce).toBe(4);
    renderer.setPaused(false);
    expect([first.told, second.told]).toEqual([
      [0, 4, 0],
      [0, 4],
    ]);
  });

  test.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [8, 4],
  ])('of %i videos at a time, renders %i with less power', (most, fewer) => {
    let when: Settings['lessPower'] = 'on-battery';
    let isOnBattery = true;
    const renderer = new LocalRenderer(
      () => when,
      () => isOnBattery,
    );
    const counts = (): number[] => {
      renderer.attach(processOf(most));
      return [renderer.rendersAtOnce];
    };
    expect(counts()).toEqual([fewer]);
    isOnBattery = false;
    expect(counts()).toEqual([most]);
    when = 'always';
    expect(counts()).toEqual([fewer]);
    when = 'never';
    isOnBattery = true;
    expect(counts()).toEqual([most]);
  });

  test('tells the running process when the power supply changes', () => {
    let isOnBattery = false;
    const process = processOf(2);
    const renderer = new LocalRenderer(
      () => 'on-battery',
      () => isOnBattery,
    );
    renderer.attach(process);
    renderer.setPaused(false);
    isOnBattery = true;
    renderer.update();
    renderer.update();
    expect(process.told).toEqual([0, 2, 1]);
  });

  test.each([
    [1, 64],
    [4, 16],
    [8, 7.5],
    [2, 1],
  ])('expects of %i cores and %d GiB what the service does', (cores, memory) => {
    expect(rendersAtOnce(cores, memory * GIB)).toBe(rendersOfService(cores, memory * GIB));
  });
});

describe('the battery of a computer with Linux', () => {
  function supplies(all: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
    const folder = temporaryFolder();
    for (const [name, fields] of Object.entries(all)) {
      mkdirSync(path.join(folder, name));
      for (const [field, text] of Object.entries(fields))
        writeFileSync(path.join(folder, name, field), `${text}\n`);
    }
    return folder;
  }
  const AC = { type: 'Mains', online: '0' };

  test.each([
    ['none', {}, false],
    ['one that is used', { AC, BAT0: { type: 'Battery', status: 'Discharging' } }, true],
    ['one that is charged', { AC, BAT0: { type: 'Battery', status: 'Charging' } }, false],
    ['a full one', { BAT0: { type: 'Battery', status: 'Full' } }, false],
    ['one of a mouse', { hid: { type: 'Battery', status: 'Discharging', scope: 'Device' } }, false],
    ['one without a status', { BAT0: { type: 'Battery' } }, false],
  ])('%s', (_, all, isOnBattery) => {
    expect(isOnBatteryHere(supplies(all))).toBe(isOnBattery);
  });

  test('is unknown where the system describes none', () => {
    expect(isOnBatteryHere(path.join(temporaryFolder(), 'gone'))).toBe(false);
  });
});
