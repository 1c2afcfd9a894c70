@ message_open(args): the macro of message.s.
    message open
