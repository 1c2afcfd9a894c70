@ message_seal(args): the macro of message.s.
    message seal
