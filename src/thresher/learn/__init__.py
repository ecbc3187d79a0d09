"""Training: labels by alignment, pages as examples, the trainer, reports and model cards.  Models are arrays.

labels           how many words of each block belong to the gold text (labelfile: labels that people gave to elements)
reading          how every training begins and ends: the records that can be learned from, the files that it leaves
auto             training of `auto` from start to end
  examples       labelled pages as the network reads them (perturb, respelling: pages made harder, in other scripts)
  fit            Adam over batches of pages (gradient: the network backwards)
  validate       how good it is on sites it has never seen (extracts: as users get them)
seeker           training of `seeker` from start to end
  seeker_examples, seeker_fit     good segments and content; the trees
  seeker_tables, seeker_rivals    tables 2 and 3 of the paper; tables 4 to 6 (seeker_report: all of them as Markdown)
"""
