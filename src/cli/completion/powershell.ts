/** Completion for PowerShell: `spool completion powershell | Out-String | Invoke-Expression`. */
import { allCommands, wordsAfter, type CommandEntry } from './command-tree.ts';

export function powershellCompletion(root: CommandEntry): string {
  const commands = allCommands(root);
  const candidates = commands.map((command) => {
    const pairs = [
      ...wordsAfter(command),
      ...command.options.flatMap(({ names, description }) =>
        names.map((name) => [name, description] as const),
      ),
    ];
    const list = pairs.map(([word, text]) => `@(${quoted(word)}, ${quoted(text || word)})`);
    return `    ${quoted(command.path)} = @(${list.map((pair) => `,${pair}`).join('; ')})`;
  });
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, choices }) =>
      choices.length === 0
        ? []
        : names.map(
            (name) => `    ${quoted(`${path} ${name}`)} = @(${choices.map(quoted).join(', ')})`,
          ),
    ),
  );
  return `# Completion of spool for PowerShell. Add to $PROFILE:
# spool completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName ${root.name} -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $candidates = @{
${candidates.join('\n')}
  }
  $values = @{
${values.join('\n')}
  }
  $at = ${quoted(root.name)}
  $previous = ''
  foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
    if ($element.Extent.EndOffset -ge $cursorPosition -and $wordToComplete -ne '') { break }
    $previous = $element.ToString()
    if ($candidates.ContainsKey("$at $previous")) { $at = "$at $previous" }
  }
  $pairs = if ($values.ContainsKey("$at $previous")) {
    $values["$at $previous"] | ForEach-Object { ,@($_, $_) }
  } else { $candidates[$at] }
  $pairs | Where-Object { $_[0] -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
  }
}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
