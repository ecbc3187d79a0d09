"""Where the prose of a page stands, as evidence about each block.

    run         the run of blocks with the highest sum of v,  v_b = unlinked words of a block of prose,
                                                              v_b = -min(4 + words, 25) for any other
    container   the element with the most prose in it,  score(e) = (1 - link density) · Σ_b g(b, e) · min(words_b, 80),
                g = 1, ½, ¼ for the first, second and third larger container of block b

Most of what passes for content wrongly stands behind the last paragraph of an article.  So each block is told whether
it stands before, in or behind the run and the container, how far away, and how many headings and articles are between.

The loop is `kernels.prose.write_prose`.
"""

from __future__ import annotations

__all__ = ["PROSE"]


PROSE = (
    "in_run before_run after_run blocks_after_run run_share run_words in_container before_container after_container "
    "container_level container_score prose_before prose_after headings_after articles_after same_article articles_above"
).split()
