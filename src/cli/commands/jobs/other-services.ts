import type { Client } from '../../../contract/contract.ts';
import { localOrigin } from '../../../host/local-port.ts';
import { localFolder } from '../../../host/service-link.ts';
import type { CommandContext } from '../../command-context.ts';
import { formatCount } from '../../display/numbers.ts';
import { plainText } from '../../display/safe-text.ts';
import { type JobsOptions } from './with-jobs.ts';
import { writeEvent } from '../../write-event.ts';

/**
 * Lists the other services for which the queue contains videos: a command shows one service only.
 * @param onlyActive leaves out services whose videos have all ended
 */
export async function printOtherServices(
  client: Client,
  { json, dataDir }: JobsOptions,
  context: CommandContext,
  onlyActive = false,
): Promise<void> {
  const others = await client.queue.otherServices();
  const local = localOrigin(localFolder(dataDir));
  for (const { origin, videos, active } of others) {
    if (onlyActive && active === 0) continue;
    const service = origin === local ? 'local' : origin;
    if (json) {
      writeEvent(context, { event: 'other-service', service, videos, active });
      continue;
    }
    const activeText = active === 0 ? '' : ` (${active} waiting or in progress)`;
    const place = service === 'local' ? 'the service on this computer' : plainText(service);
    context.stdout.write(
      `For ${place}: ${formatCount(videos, 'video')}${activeText}. See them with --service ${plainText(service)}.\n`,
    );
  }
}
