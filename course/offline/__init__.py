"""The offline Messages API: it checks, answers and streams as the real one does, and decides from the request alone.

    an edge          transport.py (in this process)   server.py, handler.py (loopback)
      endpoint.py    paths, keys, faults.py, answers.py (headers, errors), catalogue.py (GET /v1/models)
        rules/       is the request one that the API accepts?   models.py: what each model takes
        model.py     the reply
          history.py, compaction.py   what `messages` holds: the task, the results, what was said
          script.py, offered.py       what comes next, with the tools that are offered
          scenario.py, scenarios/     the tasks, as data; expressions.py: their templates
          reply.py, tokens.py, ids.py the limits, the ids, the usage
        stream.py    the reply as events

Import from the modules; nothing is imported here.
"""
