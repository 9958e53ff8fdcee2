/** Whether this computer runs on its battery, where Linux says so. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Where Linux describes batteries and power adapters. */
const SUPPLIES = '/sys/class/power_supply';

/**
 * Whether a battery of this computer is being discharged. Known on Linux only: `false` elsewhere.
 * A battery of a mouse or keyboard (`scope` is `Device`) does not count.
 *
 * @param supplies the folder that describes them
 */
export function isOnBatteryHere(supplies: string = SUPPLIES): boolean {
  try {
    return readdirSync(supplies).some((name) => {
      const read = (field: string): string | null => readField(path.join(supplies, name, field));
      return (
        read('type') === 'Battery' && read('scope') !== 'Device' && read('status') === 'Discharging'
      );
    });
  } catch {
    return false;
  }
}

function readField(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
