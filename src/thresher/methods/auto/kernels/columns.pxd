# The numbers of columns.py, as constants of C: a loop over columns is unrolled where the compiler knows how many.

cdef enum:
    # What is counted of each text and of each block (`counts`): columns, and how many there are
    WORDS = 0
    CHARS = 1
    DIGITS = 2
    CAPITALS = 3
    PUNCTUATION = 4
    ENDS = 5
    LINKED = 6
    EMPHASIS = 7
    SUMS = 8
    # The blocks (`blocks`): rows, those of a level behind those of the one below; how many, and how many levels there are
    NUMBER = 0
    FIRST = 1
    LAST = 2
    AT = 3
    LEVEL = 4
    BEGIN = 10
    STOP = 16
    ALIKE = 22
    BESIDE = 23
    TOGETHER = 24
    BLOCK_ROWS = 25
    LEVELS = 6
    # The elements (`elements`): columns, and how many there are; the first of them are marks
    IMAGES = 0
    CONTROLS = 1
    HEADINGS = 2
    MAIN_HEADINGS = 3
    ARTICLES = 4
    PICTURES = 5
    TIMES = 6
    NO_DATA = 7
    CLASS = 8
    INSIDE = 9
    ARTICLE = 10
    ARTICLES_AROUND = 11
    CHILDREN = 12
    PARENT = 13
    END = 14
    FIRST_TEXT = 15
    LAST_TEXT = 16
    DEPTH = 17
    TAG = 18
    ELEMENT_COLUMNS = 19
    MARKS = 8
    # Bits of a tag (`elements`); how many groups there are of what a block may stand in
    IS_ARTICLE = 4
    IS_EMPHASIS = 27
    IS_INLINE = 28
    RANK = 29
    IS_TITLE = 32
    IS_BLOCK = 33
    IS_LIST = 34
    IS_TABLE = 35
    GROUPS = 19
    # Rows of the room of `place_blocks`: for the containers, and then for the groups
    OPENS = 0
    CLOSES = 1
    LARGER = 2
    BLOCK_LEVEL = 3
    BEFORE = 4
    GATHERED = 0
    KEY_NUMBER = 1
    GROUP_OF = 2
    # Columns of features of a container; the one that differs from block to block
    CONTAINER_WIDTH = 14
    PLACE_IN_CONTAINER = 12
    # Columns of features of a block by itself, of its place, of the page; what it may stand in, a bit each
    OWN_WIDTH = 19
    PLACE_WIDTH = 10
    PAGE_WIDTH = 12
    IN_HEADING = 1
    IN_MAIN_HEADING = 2
    IN_PARAGRAPH = 3
    IN_LIST_ITEM = 4
    IN_TABLE_CELL = 5
    # Rows of the room of `write_prose`: unlinked words of each block of prose, 0 for the others; words and such before
    # each block; the score of each element, and behind it those of so many levels
    PROSE = 0
    WORDS_BEFORE = 1
    PROSE_BEFORE = 2
    SCORE = 3
    SCORED_LEVELS = 3
    # Units: columns of features, in the table of kinds behind them how many are of each; rows of the room of `write_units`:
    # kind and then unit of each element, size and unit of each kind, dates before each element and address of its first
    # link; and then the units around each element
    UNIT_WIDTH = 8
    MEMBERS = 8
    KIND = 0
    SIZE = 1
    UNIT = 2
    DATES = 3
    ADDRESS = 4
    INNERMOST = 3
    OUTERMOST = 4
    # Columns of what is known of each word, and rows of sums over the blocks before each (`write_vocabulary`)
    LAST_BLOCK = 0
    BLOCKS_WITH = 1
    IN_RUN = 2
    IN_TITLE = 3
    TITLE_BEFORE = 0
    RUN_BEFORE = 1
    WEIGHT_BEFORE = 2
    # What a block may be (`mark_lines`, `mark_chosen`), a bit each; the last, that no title is chosen
    TITLE = 1
    HEADING = 2
    CODE = 4
    CAPTION = 8
    ORPHAN = 16
    RELATED = 32
    BYLINE = 64
    DAY = 128
    PUBLISHED = 256
    AUTHOR = 512
    ADVERT = 1024
    COPYRIGHT = 2048
    PHRASE = 4096
    TITLED = 8192
    UNTITLED = 16384
    # What a line may open with (`openings`), a bit each; or two bytes with which no word begins
    OPENS_BY = 1
    OPENS_PUBLISHED = 2
    OPENS_ALSO = 4
    OPENS_ADVERT = 8
    OPENS_COMMENTS = 16
    NO_WORD = 128
    # Rows of the kinds of blocks (`look`): titles, phrases of the title, headings, code, captions; how many
    KIND_TITLE = 0
    KIND_PHRASE = 1
    KIND_HEADING = 2
    KIND_CODE = 3
    KIND_CAPTION = 4
    KINDS = 5
