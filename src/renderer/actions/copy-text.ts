import type { AppState } from '../state/app-state.svelte.ts';

/** Copies the texts of a video, its title and whatever else its row says, each after an empty line. */
export async function copyText(app: AppState, id: string): Promise<void> {
  const details = await app.commands.run((client) => client.jobs.show({ id }));
  if (details === null) return;
  const { fields, values } = details.row;
  const texts = fields
    .filter(({ type }) => type === 'text' || type === 'list')
    .flatMap(({ name }) => values[name] ?? []);
  const { copied, notCopied } = app.texts.saved;
  try {
    await navigator.clipboard.writeText(texts.join('\n\n'));
    app.toasts.good(copied);
  } catch {
    app.toasts.bad(notCopied, null);
  }
}
