"""Runs a consumer, PROGRAM OPTION ..., and kills it after it has committed its copies and before it commits its take."""
import os
import runpy
import signal
import sys

import psycopg2
import psycopg2.extensions


class Source(psycopg2.extensions.connection):
    """The connection to data-import. Its first transaction runs LISTEN, its second one takes accounts."""

    transactions = 0

    def commit(self):
        self.transactions += 1
        if self.transactions == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        super().commit()


connect = psycopg2.connect
connected = []


def connect_source_first(address):
    connected.append(address)
    return connect(address, connection_factory=Source if len(connected) == 1 else None)


psycopg2.connect = connect_source_first
sys.argv.pop(0)
runpy.run_path(sys.argv[0], run_name="__main__")
