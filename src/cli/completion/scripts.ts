/**
 * Shell scripts that complete command lines. A script asks the program for the words that may follow. It starts the
 * program by the word that the user has typed, so a shell function or a path works too. If the program offers nothing,
 * the shell offers files.
 */

/** The first argument when a script asks for completions. The words that the user typed follow. */
export const ASK = '__complete';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const BASH = `# Completion of dialplane for bash.
_dialplane() {
  local word meaning
  COMPREPLY=()
  while IFS=$'\\t' read -r word meaning; do
    COMPREPLY+=("$word")
  done < <("\${COMP_WORDS[0]}" ${ASK} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _dialplane dialplane`;

const ZSH = `#compdef dialplane
# Completion of dialplane for zsh.
_dialplane() {
  local -a found
  local word meaning
  while IFS=$'\\t' read -r word meaning; do
    found+=("\${word//:/\\\\:}:$meaning")
  done < <("\${words[1]}" ${ASK} "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then
    _describe 'dialplane' found
  else
    _files
  fi
}
if [[ "$funcstack[1]" == _dialplane ]]; then
  _dialplane "$@"
else
  compdef _dialplane dialplane
fi`;

const FISH = `# Completion of dialplane for fish.
function __dialplane_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l found ($typed[1] ${ASK} $typed[2..-1] "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c dialplane -k -f -a '(__dialplane_complete)'`;

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
