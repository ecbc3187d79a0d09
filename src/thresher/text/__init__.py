"""Text as such, whatever page it is from.

language    which language a text is in
sentences   text -> sentences
simhash     fingerprints of texts, alike for near-duplicates
summary     a few sentences of a text, chosen by TextRank
phrases     labels in many languages: "By", "Published", "Comments"
dates       dates in words and numbers (calendars: other calendars than the Gregorian)
names       names of authors
prices      sums of money, read, written and looked for
plain       values without markup, as one line of plain text; comparison by words
characters  white space and line ends
invisible   characters that show nothing: noise, joiners, messages hidden in runs of them
lcs         longest common subsequences, of words and of characters
patterns    regular expressions that are compiled when they are first used
printing    text and JSON that are safe to print
log         what happens, a line at a time: one logger per package (`thresher -v`)
"""
