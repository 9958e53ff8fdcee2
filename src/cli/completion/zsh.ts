/** Completion for zsh: `source <(spool completion zsh)`, or a file `_spool` in a folder of `fpath`. */
import { allCommands, wordsAfter, type CommandEntry } from './command-tree.ts';
import { commandPattern, optionPatterns, quoted } from './posix-shell.ts';

export function zshCompletion(root: CommandEntry): string {
  const commands = allCommands(root);
  const values = optionPatterns(commands).map(({ pattern, choices }) => {
    const act = choices.length === 0 ? '_files' : `compadd -- ${choices.map(quoted).join(' ')}`;
    return `    (${pattern}) ${act}; return ;;`;
  });
  const words = commands.map((command) => {
    const next = wordsAfter(command).map(described).join(' ');
    const options = command.options
      .flatMap(({ names, description }) => names.map((name) => described([name, description])))
      .join(' ');
    return `    (${quoted(command.path)}) candidates=(${next}); options=(${options}) ;;`;
  });
  return `#compdef ${root.name}
# Completion of spool for zsh. Add to ~/.zshrc: source <(spool completion zsh)
_${root.name}() {
  local at=${root.name} word previous=\${words[CURRENT-1]}
  local -a candidates options
  for word in \${words[2,CURRENT-1]}; do
    case "$at $word" in
      (${commandPattern(commands)}) at="$at $word" ;;
    esac
  done
  case "$at $previous" in
${values.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe 'option' options
  elif (( \${#candidates} )); then
    _describe 'command' candidates || _files
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _${root.name} ]]; then _${root.name} "$@"; else compdef _${root.name} ${root.name}; fi
`;
}

/** For `_describe`: a colon separates a word from its description. */
function described([word, description]: readonly [string, string]): string {
  const colons = (text: string): string => text.replaceAll(':', String.raw`\:`);
  return quoted(`${colons(word)}:${colons(description)}`);
}
