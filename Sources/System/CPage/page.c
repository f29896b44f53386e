#include "page.h"

/* The files become part of the program. One that is added to the folder gets an array and a row of the table here. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "../../Web/Page/index.html"
};
static const unsigned char icon_svg[] = {
#embed "../../Web/Page/icon.svg"
};
static const unsigned char style_css[] = {
#embed "../../Web/Page/style.css"
};
static const unsigned char board_js[] = {
#embed "../../Web/Page/board.js"
};
static const unsigned char chat_js[] = {
#embed "../../Web/Page/chat.js"
};
static const unsigned char clocks_js[] = {
#embed "../../Web/Page/clocks.js"
};
static const unsigned char connection_js[] = {
#embed "../../Web/Page/connection.js"
};
static const unsigned char dialogue_js[] = {
#embed "../../Web/Page/dialogue.js"
};
static const unsigned char elements_js[] = {
#embed "../../Web/Page/elements.js"
};
static const unsigned char hosted_js[] = {
#embed "../../Web/Page/hosted.js"
};
static const unsigned char identity_js[] = {
#embed "../../Web/Page/identity.js"
};
static const unsigned char lobby_js[] = {
#embed "../../Web/Page/lobby.js"
};
static const unsigned char main_js[] = {
#embed "../../Web/Page/main.js"
};
static const unsigned char replay_js[] = {
#embed "../../Web/Page/replay.js"
};
static const unsigned char table_js[] = {
#embed "../../Web/Page/table.js"
};
static const unsigned char words_js[] = {
#embed "../../Web/Page/words.js"
};

#define DRAWING "image/svg+xml"
#define HTML "text/html; charset=utf-8"
#define SCRIPT "text/javascript; charset=utf-8"
#define STYLE "text/css; charset=utf-8"
#define FILE_AT(path, type, bytes) {path, type, bytes, sizeof bytes}

static const parlor_page_file files[] = {
    FILE_AT("/", HTML, index_html),
    FILE_AT("/icon.svg", DRAWING, icon_svg),
    FILE_AT("/style.css", STYLE, style_css),
    FILE_AT("/board.js", SCRIPT, board_js),
    FILE_AT("/chat.js", SCRIPT, chat_js),
    FILE_AT("/clocks.js", SCRIPT, clocks_js),
    FILE_AT("/connection.js", SCRIPT, connection_js),
    FILE_AT("/dialogue.js", SCRIPT, dialogue_js),
    FILE_AT("/elements.js", SCRIPT, elements_js),
    FILE_AT("/hosted.js", SCRIPT, hosted_js),
    FILE_AT("/identity.js", SCRIPT, identity_js),
    FILE_AT("/lobby.js", SCRIPT, lobby_js),
    FILE_AT("/main.js", SCRIPT, main_js),
    FILE_AT("/replay.js", SCRIPT, replay_js),
    FILE_AT("/table.js", SCRIPT, table_js),
    FILE_AT("/words.js", SCRIPT, words_js),
};

const parlor_page_file *parlor_page_file_at(size_t index) {
  return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
