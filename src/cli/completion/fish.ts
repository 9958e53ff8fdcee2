/** Completion for fish: `spool completion fish > ~/.config/fish/completions/spool.fish`. */
import { allCommands, wordsAfter, type CommandEntry } from './command-tree.ts';

export function fishCompletion(root: CommandEntry): string {
  const commands = allCommands(root);
  const lines = commands.flatMap((command) => {
    const at = `-n ${quoted(`test (__spool_at) = "${command.path}"`)}`;
    return [
      ...wordsAfter(command).map(
        ([word, description]) =>
          `complete -c ${root.name} ${at} -f -a ${quoted(word)} -d ${quoted(description)}`,
      ),
      ...command.options.map(({ names, takesValue, choices, description }) => {
        const named = names
          .map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
          .join(' ');
        const value =
          choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : '';
        return `complete -c ${root.name} ${at} ${named}${value} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# Completion of spool for fish: spool completion fish > ~/.config/fish/completions/spool.fish
function __spool_at
    set -l at ${root.name}
    for word in (commandline -opc)[2..]
        switch "$at $word"
            case ${commands
              .slice(1)
              .map(({ path }) => quoted(path))
              .join(' ')}
                set at "$at $word"
        end
    end
    echo $at
end
${lines.join('\n')}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
