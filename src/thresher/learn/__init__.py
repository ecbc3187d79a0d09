"""Training: labels by alignment, pages as examples, the trainer, reports and model cards.  Models are arrays."""
