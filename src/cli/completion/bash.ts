/** Completion for bash: `source <(spool completion bash)`. */
import { allCommands, wordsAfter, type CommandEntry } from './command-tree.ts';
import { commandPattern, optionPatterns, quoted } from './posix-shell.ts';

export function bashCompletion(root: CommandEntry): string {
  const commands = allCommands(root);
  const values = optionPatterns(commands).map(
    ({ pattern, choices }) =>
      `    ${pattern}) COMPREPLY=($(compgen -W ${quoted(choices.join(' '))} -- "$current")); return ;;`,
  );
  const words = commands.map((command) => {
    const names = command.options.flatMap((option) => option.names).join(' ');
    const next = wordsAfter(command)
      .map(([word]) => word)
      .join(' ');
    return `    ${quoted(command.path)}) options=${quoted(names)}; words=${quoted(next)} ;;`;
  });
  return `# Completion of spool for bash. Add to ~/.bashrc: source <(spool completion bash)
_spool() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local at=${root.name} word words options
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${commandPattern(commands)}) at="$at $word" ;;
    esac
  done
  COMPREPLY=()
  case "$at $previous" in
${values.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
  if [[ $current == -* ]]; then words=$options; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -o bashdefault -F _spool ${root.name}
`;
}
