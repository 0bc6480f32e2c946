"""The one exception for mistakes that a user can make and mend."""


class UserError(Exception):
    """A mistake in the user's files or settings.

    The message is one line that names the file, the field and the fix; commands print it as it is
    and end with exit code 1.
    """
