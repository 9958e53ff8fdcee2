import {
  keyCommands,
  queueCommands,
  quotaCommands,
  serviceCommands,
  transferCommands,
} from './queue-commands.ts';
import { activityCommands } from './activity-commands.ts';
import { batchCommands } from './batch-commands.ts';
import type { CommandContext } from './command-context.ts';
import { costCommands } from './cost-commands.ts';
import { fileCommands } from './file-commands.ts';
import type { Commands } from './handlers.ts';
import { jobCommands } from './job-commands.ts';
import { retryCommands } from './retry-commands.ts';
import { undoCommands } from './undo-commands.ts';

/**
 * Everything that the contract asks of an engine. Each command announces what it changed. Commands
 * throw an `EngineError` for a failure that is shown to the user.
 */
export function createCommands(context: CommandContext): Commands {
  const { costs, result } = costCommands(context);
  return {
    jobs: { ...jobCommands(context), ...retryCommands(context), ...undoCommands(context) },
    batches: { ...batchCommands(context), result },
    queue: queueCommands(context),
    transfers: transferCommands(context),
    quota: quotaCommands(context),
    activity: { ...activityCommands(context, costs), costs },
    files: fileCommands(context),
    service: serviceCommands(context),
    key: keyCommands(context),
  };
}
