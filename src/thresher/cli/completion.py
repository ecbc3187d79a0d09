"""thresher completion: what a shell needs to complete our commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

__all__ = ["command"]

_VARIABLE = "_THRESHER_COMPLETE"


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    \b
      thresher completion bash > ~/.local/share/bash-completion/completions/thresher
      thresher completion zsh > ~/.zfunc/_thresher           with ~/.zfunc in fpath
      thresher completion fish > ~/.config/fish/completions/thresher.fish
      eval "$(thresher completion bash)"                     for this session
    """
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(ctx.find_root().command, {}, "thresher", _VARIABLE)
    # Not `source()`, which asks for the version of a bash on this machine: the script may be for another.
    click.echo(script.source_template % script.source_vars())
