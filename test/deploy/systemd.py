"""Does for one service what systemd does with kontor.socket: it keeps the socket, and starts a process anew for each line that it reads.

systemd.py PORT COMMAND...
"""

import os
import signal
import socket
import sys

kept = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=4096)


def start():
    child = os.fork()
    if child == 0:
        os.dup2(kept.fileno(), 3)
        os.set_inheritable(3, True)
        variables = {**os.environ, "LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}
        os.execvpe(sys.argv[2], sys.argv[2:], variables)
    return child


def stop(child):
    os.kill(child, signal.SIGTERM)
    os.waitpid(child, 0)


running = start()
for _ in sys.stdin:
    stop(running)
    running = start()
stop(running)
