// What a shell needs to complete superteam's commands and options, made from the commands there are.

import type { Command } from "commander";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export function completionFor(shell: Shell, program: Command): string {
  const commands = program.commands.map((command) => ({
    name: command.name(),
    description: command.description().replaceAll(/['"`$\\:]/g, ""),
    options: command.options.flatMap(({ long }) => long ?? []),
  }));
  return scripts[shell](commands);
}

interface Completed {
  readonly name: string;
  readonly description: string;
  readonly options: readonly string[];
}

const scripts: Readonly<Record<Shell, (commands: readonly Completed[]) => string>> = {
  bash: (commands) =>
    [
      '# eval "$(superteam completion bash)"',
      "_superteam() {",
      `  local word="\${COMP_WORDS[COMP_CWORD]}" words`,
      `  case "\${COMP_WORDS[1]}" in`,
      ...commands.map(({ name, options }) => `    ${name}) words="${options.join(" ")}" ;;`),
      '    *) words="" ;;',
      "  esac",
      `  [ "$COMP_CWORD" = 1 ] && words="${commands.map(({ name }) => name).join(" ")}"`,
      '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
      "}",
      "complete -o default -F _superteam superteam",
    ].join("\n"),
  zsh: (commands) =>
    [
      '# eval "$(superteam completion zsh)"',
      "_superteam() {",
      "  if (( CURRENT == 2 )); then",
      `    local -a names=(${commands.map(({ name, description }) => `'${name}:${description}'`).join(" ")})`,
      "    _describe command names",
      "    return",
      "  fi",
      `  case "\${words[2]}" in`,
      ...commands.map(({ name, options }) => `    ${name}) compadd -- ${options.join(" ")} ;;`),
      "  esac",
      "}",
      "compdef _superteam superteam",
    ].join("\n"),
  fish: (commands) =>
    [
      "# superteam completion fish | source",
      ...commands.flatMap(({ name, description, options }) => [
        `complete -c superteam -f -n __fish_use_subcommand -a ${name} -d '${description}'`,
        ...options.map(
          (option) => `complete -c superteam -n '__fish_seen_subcommand_from ${name}' -l ${option.replace(/^--/, "")}`,
        ),
      ]),
    ].join("\n"),
};
