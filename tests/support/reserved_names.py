"""Display names that readers take for staff, with the default of `reserved_handles`."""

RESERVED = [
    *("Admin", "PLAUDIT Support", "Plaudit Team", "Official Plaudit Moderator", "Staff", "plaudit_support"),
    *("A d m i n", "S.U.P.P.O.R.T", "★ Moderator ★", "Admin!", "Admin ⭐", "Ⓐdmin", "🅰dmin", "Ádmin", "ᴀᴅᴍɪɴ"),
    *("adm1n", "admin42", "Admin 42", "Support_24", "@dmin 4-2", "ad.min.1", "@dmin", "$upport", "m0d", "rnoderator"),
    *("Ad\u200bmin", "Ad\u2060min", "\u202eAdmin", "Admin\u3164", "a\u0336d\u0336m\u0336i\u0336n\u0336"),
    *("\uff21\uff24\uff2d\uff29\uff2e", "\U0001d400\U0001d41d\U0001d426\U0001d422\U0001d427"),
    *("\u0410dmin", "\u0391dmin", "\u0455u\u0440\u0440\u043ert", "Moderat\u03bfr", "Админ", "Модератор"),
]
