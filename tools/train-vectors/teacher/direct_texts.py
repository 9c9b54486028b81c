"""The direction of each text as the teacher means it, in few dimensions.

    direct_texts.py TEXTS DIRECTIONS DIMENSIONS SEED

TEXTS has one text a line (UTF-8). DIRECTIONS gets DIMENSIONS little-endian float32 numbers a line, a vector of length 1.
The teacher's 384 dimensions are cut to those in which the texts differ most, and turned at random, so that every dimension
says as much as any other: whole numbers and signs lose least of such vectors.
"""

import sys
import tempfile
import zipfile
from importlib import resources

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer

MOST_TOKENS = 64
BATCH = 128
REPORT_EVERY = 100


def load_teacher():
    folder = tempfile.mkdtemp()
    with resources.as_file(resources.files("all_minilm_l6_v2") / "model.zip") as archive:
        zipfile.ZipFile(archive).extractall(folder)
    return AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()


def embed(texts):
    """Mean of the tokens' last hidden states, of length 1, as the model is meant to be used."""
    tokenizer, model = load_teacher()
    found = np.zeros((len(texts), model.config.hidden_size), np.float32)
    # Texts of one length share a batch: none waits for padding.
    order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
    with torch.inference_mode():
        for number, start in enumerate(range(0, len(order), BATCH)):
            places = order[start : start + BATCH]
            tokens = tokenizer(
                [texts[at] for at in places], padding=True, truncation=True, max_length=MOST_TOKENS, return_tensors="pt"
            )
            states = model(**tokens).last_hidden_state
            mask = tokens["attention_mask"].unsqueeze(-1).float()
            means = (states * mask).sum(1) / mask.sum(1)
            found[places] = torch.nn.functional.normalize(means, dim=1).numpy()
            if number % REPORT_EVERY == 0:
                print(f"{start} of {len(texts)} texts", flush=True)
    return found


def lessen(vectors, dimensions, seed):
    _, axes = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
    turn, _ = np.linalg.qr(np.random.default_rng(seed).standard_normal((dimensions, dimensions)))
    lesser = vectors @ (axes[:, ::-1][:, :dimensions] @ turn)
    return (lesser / np.linalg.norm(lesser, axis=1, keepdims=True)).astype("<f4")


def main():
    texts_file, directions_file, dimensions, seed = sys.argv[1:]
    with open(texts_file, encoding="utf-8") as lines:
        texts = lines.read().splitlines()
    lessen(embed(texts), int(dimensions), int(seed)).tofile(directions_file)


main()
