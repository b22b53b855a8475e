"""Proving questions by running them: their options, their code, their claims.

    proving.py     one item: everything that running it shows to be wrong
      tries.py, arrangements.py, pairs.py, answers.py, predictions.py      the kinds of proofs
      transcripts.py, words_of_whys.py      what can be told without doing an option
    doing.py       from an answer to a recorded run
      actors.py    loops that do one of the six actions        program.py     code of an item
      stage.py     where a loop runs: a scenario, or
      world.py     the item's own world: setting.py (what it starts from), replies.py (what its model says)
      agent.py, runner.py      the real Agent SDK, the SDK's tool runner
    outcomes.py, claims.py     what came of a run
    verifying.py   whole banks, each item in a process of its own (worker.py, work.py); tables.py prints the report

Import from the modules; nothing is imported here but what a caller outside needs.
"""

from course.proofs.proving import prove
from course.proofs.showing import run_code, trace_of
from course.proofs.verifying import Report, verify

__all__ = ["Report", "prove", "run_code", "trace_of", "verify"]
