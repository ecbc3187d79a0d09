"""What the boxes of a rendered page tell: the parts of method `layout`.  Paper 003.

zones         the page cut where its lines break, as a tree
column_tree   zones that share their left and right edges
paragraphs    zones of two sentences or more (verbs in English)
main_column   the column with the most words in paragraphs
"""
