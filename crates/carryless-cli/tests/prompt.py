"""Drives carryless on a pseudo-terminal: prompt.py CARRYLESS DIRECTORY, which has a file `text`."""

import os
import pty
import signal
import sys
import termios
import time


def wait_for(terminal, output, end):
    while not output.endswith(end):
        output += os.read(terminal, 1000)
    return output


def echoes(terminal):
    return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)


def wait_for_prompt(terminal, output=b""):
    """The output up to a prompt that waits for an answer."""
    output = wait_for(terminal, output, b": ")
    while echoes(terminal):
        time.sleep(0.01)
    return output


def run(program, args, answers):
    """Answers each prompt; an answer that is a signal is sent instead. Exit code and output."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm"
        os.execv(program, [program, *args])
    output = b""
    for answer in answers:
        output = wait_for_prompt(terminal, output)
        if isinstance(answer, bytes):
            output = b""
            os.write(terminal, answer + b"\n")
        else:
            os.kill(child, answer)
    while True:
        try:
            piece = os.read(terminal, 1000)
        except OSError:
            break
        if not piece:
            break
        output += piece
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(terminal)
    return code, output


def echo_after_signal(program, args, number, prompts):
    """As `run`, with a signal at the last of so many prompts; whether the terminal echoes when the program is gone."""
    keeper, terminal = pty.openpty()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.close(os.open(os.ttyname(terminal), os.O_RDWR))
        for descriptor in range(3):
            os.dup2(terminal, descriptor)
        os.execv(program, [program, *args])
    for asked in range(prompts):
        if asked > 0:
            os.write(keeper, b"an answer\n")
        wait_for_prompt(keeper)
    os.kill(child, number)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code, echoes(keeper)


def contents():
    """All files of this directory, and what is in them."""
    files = {}
    for name in os.listdir():
        with open(name, "rb") as file:
            files[name] = file.read()
    return files


def identity_under_a_passphrase(program):
    """An identity under a passphrase asks for it as a key file does; a wrong one writes nothing."""
    keygen = ["keygen", "--recipient", "-p", "--kdf-cost", "8k:1:1", "-o", "identity"]
    code, output = run(program, keygen, [b"one", b"two"])
    assert code == 4 and b"differ" in output and not os.path.exists("identity"), (code, output)
    code, output = run(program, keygen, [b"one", b"one"])
    recipient = next((word for word in output.split() if word.startswith(b"cless1")), None)
    assert code == 0 and recipient, (code, output)
    code, output = run(program, ["seal", "-q", "-r", recipient, "plain", "-o", "for-one"], [])
    assert (code, output) == (0, b""), (code, output)
    verbs = [(["verify", "for-one"], b"authentic"), (["open", "for-one", "-o", "opened-by-one"], b""),
             (["rekey", "for-one", "--new-recipient", recipient], b"")]
    before = contents()
    for verb, _ in verbs:
        for answer, expected, said in [(b"two", 4, b"opens none"), (b"", 4, b"1 to 1024"), (b"o\x03", 130, b"")]:
            code, output = run(program, [*verb, "-i", "identity"], [answer])
            assert code == expected and said in output, (verb, answer, code, output)
            assert contents() == before, (verb, answer)
    for verb, said in verbs:
        code, output = run(program, [*verb, "-i", "identity"], [b"one"])
        assert code == 0 and said in output, (verb, code, output)
    after = contents()
    assert after["opened-by-one"] == after["plain"] and after["for-one"] != before["for-one"]


def main(program, directory):
    signal.alarm(120)
    # Who starts this in the background may have them ignored, and the program would follow.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    os.chdir(directory)
    seal, verify = ["seal", "-p", "text"], ["verify", "-p", "text.cless"]
    for second in [b"two", b"one more", b"on", b"One", b"one ", b""]:
        twice = [b"one", second]
        code, output = run(program, seal, twice)
        assert code == 4 and b"differ" in output, (twice, code, output)
    code, output = run(program, seal, [b"correct horse", b"correct horse"])
    assert code == 0 and b"horse" not in output, (code, output)
    code, output = run(program, verify, [b"correct horse"])
    assert code == 0 and b"authentic" in output, (code, output)
    code, output = run(program, verify, [b"wrong"])
    assert code == 3, (code, output)
    code, output = run(program, seal, [b""])
    assert code == 4 and b"1 to 1024" in output, (code, output)
    for args in verify, seal:
        code, output = run(program, args, [b"some\x03"])
        assert code == 130, (args, code, output)
    # A key file under a passphrase asks for it, once for all files of a call.
    keygen = ["keygen", "-p", "--kdf-cost", "8k:1:1"]
    for name in ("sealed.key", "second.key"):
        code, output = run(program, [*keygen, "-o", name], [b"one", b"one"])
        assert code == 0, (code, output)
    several = ["verify", "-k", "sealed.key", "-k", "second.key", "-k", "key", "plain.cless", "plain.cless"]
    code, output = run(program, several, [b"one"])
    assert code == 0 and output.count(b"authentic") == 2, (code, output)
    code, output = run(program, several, [b"two"])
    assert code == 4 and b"opens none" in output, (code, output)
    identity_under_a_passphrase(program)
    code, output = run(program, keygen, [b"one", b"one"])
    assert code == 2 and b"terminal" in output, (code, output)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        for args, prompts in ((verify, 1), (seal, 1), (seal, 2)):
            ended = echo_after_signal(program, args, number, prompts)
            assert ended == (128 + number, True), (number, args, prompts, ended)
    # A bar on a terminal, and only there; binary data never.
    code, output = run(program, ["seal", "-k", "key", "text", "-o", "bar"], [])
    assert code == 0 and b"B/s" in output, (code, output)
    code, output = run(program, ["open", "-k", "key", "bar", "-o", "opened"], [])
    assert code == 0 and b"B/s" in output, (code, output)
    assert output.isascii(), output
    dumb = ["env", "TERM=dumb", program, "seal", "-k", "key", "text", "-o", "dumb"]
    assert run("/usr/bin/env", dumb[1:], []) == (0, b"")
    # Not among text that goes there.
    code, output = run(program, ["open", "-k", "key", "plain.cless", "-o", "-"], [])
    assert (code, output) == (0, b"a line\r\n" * 20000), (code, output[:1000], len(output))
    code, output = run(program, ["seal", "-q", "-k", "key", "text", "-o", "quiet"], [])
    assert (code, output) == (0, b""), (code, output)
    code, output = run(program, ["seal", "-k", "key", "text", "-o", "-"], [])
    assert code == 2 and b"terminal" in output, (code, output)


main(*sys.argv[1:])
