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
static const unsigned char bracket_js[] = {
#embed "../../Web/Page/bracket.js"
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
static const unsigned char download_js[] = {
#embed "../../Web/Page/download.js"
};
static const unsigned char elements_js[] = {
#embed "../../Web/Page/elements.js"
};
static const unsigned char sheet_js[] = {
#embed "../../Web/Page/sheet.js"
};
static const unsigned char hosted_js[] = {
#embed "../../Web/Page/hosted.js"
};
static const unsigned char hosting_js[] = {
#embed "../../Web/Page/hosting.js"
};
static const unsigned char identity_js[] = {
#embed "../../Web/Page/identity.js"
};
static const unsigned char key_js[] = {
#embed "../../Web/Page/key.js"
};
static const unsigned char keypanel_js[] = {
#embed "../../Web/Page/keypanel.js"
};
static const unsigned char lobby_js[] = {
#embed "../../Web/Page/lobby.js"
};
static const unsigned char main_js[] = {
#embed "../../Web/Page/main.js"
};
static const unsigned char own_js[] = {
#embed "../../Web/Page/own.js"
};
static const unsigned char ownroom_js[] = {
#embed "../../Web/Page/ownroom.js"
};
static const unsigned char qr_js[] = {
#embed "../../Web/Page/qr.js"
};
static const unsigned char replay_js[] = {
#embed "../../Web/Page/replay.js"
};

static const unsigned char review_js[] = {
#embed "../../Web/Page/review.js"
};
static const unsigned char store_js[] = {
#embed "../../Web/Page/store.js"
};
static const unsigned char table_js[] = {
#embed "../../Web/Page/table.js"
};
static const unsigned char tournament_js[] = {
#embed "../../Web/Page/tournament.js"
};
static const unsigned char words_js[] = {
#embed "../../Web/Page/words.js"
};
static const unsigned char protocol_asks_js[] = {
#embed "../../Web/Page/protocol/asks.js"
};
static const unsigned char protocol_blake2b_js[] = {
#embed "../../Web/Page/protocol/blake2b.js"
};
static const unsigned char protocol_board_games_js[] = {
#embed "../../Web/Page/protocol/board-games.js"
};
static const unsigned char protocol_box_js[] = {
#embed "../../Web/Page/protocol/box.js"
};
static const unsigned char protocol_bundle_js[] = {
#embed "../../Web/Page/protocol/bundle.js"
};
static const unsigned char protocol_bytes_js[] = {
#embed "../../Web/Page/protocol/bytes.js"
};
static const unsigned char protocol_choices_js[] = {
#embed "../../Web/Page/protocol/choices.js"
};
static const unsigned char protocol_choosing_js[] = {
#embed "../../Web/Page/protocol/choosing.js"
};
static const unsigned char protocol_create_js[] = {
#embed "../../Web/Page/protocol/create.js"
};
static const unsigned char protocol_curve_js[] = {
#embed "../../Web/Page/protocol/curve.js"
};
static const unsigned char protocol_drawing_rules_js[] = {
#embed "../../Web/Page/protocol/drawing-rules.js"
};
static const unsigned char protocol_events_js[] = {
#embed "../../Web/Page/protocol/events.js"
};
static const unsigned char protocol_faults_js[] = {
#embed "../../Web/Page/protocol/faults.js"
};
static const unsigned char protocol_files_js[] = {
#embed "../../Web/Page/protocol/files.js"
};
static const unsigned char protocol_forms_js[] = {
#embed "../../Web/Page/protocol/forms.js"
};
static const unsigned char protocol_gathered_js[] = {
#embed "../../Web/Page/protocol/gathered.js"
};
static const unsigned char protocol_game_js[] = {
#embed "../../Web/Page/protocol/game.js"
};
static const unsigned char protocol_hosted_player_js[] = {
#embed "../../Web/Page/protocol/hosted-player.js"
};
static const unsigned char protocol_hosted_round_js[] = {
#embed "../../Web/Page/protocol/hosted-round.js"
};
static const unsigned char protocol_hosted_rules_js[] = {
#embed "../../Web/Page/protocol/hosted-rules.js"
};
static const unsigned char protocol_hosted_view_js[] = {
#embed "../../Web/Page/protocol/hosted-view.js"
};
static const unsigned char protocol_line_js[] = {
#embed "../../Web/Page/protocol/line.js"
};
static const unsigned char protocol_line_games_js[] = {
#embed "../../Web/Page/protocol/line-games.js"
};
static const unsigned char protocol_lines_js[] = {
#embed "../../Web/Page/protocol/lines.js"
};
static const unsigned char protocol_lobby_js[] = {
#embed "../../Web/Page/protocol/lobby.js"
};
static const unsigned char protocol_membership_js[] = {
#embed "../../Web/Page/protocol/membership.js"
};
static const unsigned char protocol_payloads_js[] = {
#embed "../../Web/Page/protocol/payloads.js"
};
static const unsigned char protocol_play_js[] = {
#embed "../../Web/Page/protocol/play.js"
};
static const unsigned char protocol_player_js[] = {
#embed "../../Web/Page/protocol/player.js"
};
static const unsigned char protocol_quiz_rules_js[] = {
#embed "../../Web/Page/protocol/quiz-rules.js"
};
static const unsigned char protocol_records_js[] = {
#embed "../../Web/Page/protocol/records.js"
};
static const unsigned char protocol_report_js[] = {
#embed "../../Web/Page/protocol/report.js"
};
static const unsigned char protocol_results_js[] = {
#embed "../../Web/Page/protocol/results.js"
};
static const unsigned char protocol_room_js[] = {
#embed "../../Web/Page/protocol/room.js"
};
static const unsigned char protocol_round_games_js[] = {
#embed "../../Web/Page/protocol/round-games.js"
};
static const unsigned char protocol_round_play_js[] = {
#embed "../../Web/Page/protocol/round-play.js"
};
static const unsigned char protocol_round_player_js[] = {
#embed "../../Web/Page/protocol/round-player.js"
};
static const unsigned char protocol_round_results_js[] = {
#embed "../../Web/Page/protocol/round-results.js"
};
static const unsigned char protocol_rounds_js[] = {
#embed "../../Web/Page/protocol/rounds.js"
};
static const unsigned char protocol_rules_js[] = {
#embed "../../Web/Page/protocol/rules.js"
};
static const unsigned char protocol_sealing_js[] = {
#embed "../../Web/Page/protocol/sealing.js"
};
static const unsigned char protocol_seats_js[] = {
#embed "../../Web/Page/protocol/seats.js"
};
static const unsigned char protocol_sha512_js[] = {
#embed "../../Web/Page/protocol/sha512.js"
};
static const unsigned char protocol_signatures_js[] = {
#embed "../../Web/Page/protocol/signatures.js"
};
static const unsigned char protocol_signing_js[] = {
#embed "../../Web/Page/protocol/signing.js"
};
static const unsigned char protocol_verdicts_js[] = {
#embed "../../Web/Page/protocol/verdicts.js"
};
static const unsigned char protocol_writing_js[] = {
#embed "../../Web/Page/protocol/writing.js"
};
static const unsigned char verify_css[] = {
#embed "../../Web/Page/verify.css"
};
static const unsigned char verify_html[] = {
#embed "../../Web/Page/verify.html"
};
static const unsigned char verify_js[] = {
#embed "../../Web/Page/verify.js"
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
    FILE_AT("/bracket.js", SCRIPT, bracket_js),
    FILE_AT("/chat.js", SCRIPT, chat_js),
    FILE_AT("/clocks.js", SCRIPT, clocks_js),
    FILE_AT("/connection.js", SCRIPT, connection_js),
    FILE_AT("/dialogue.js", SCRIPT, dialogue_js),
    FILE_AT("/download.js", SCRIPT, download_js),
    FILE_AT("/elements.js", SCRIPT, elements_js),
    FILE_AT("/hosted.js", SCRIPT, hosted_js),
    FILE_AT("/sheet.js", SCRIPT, sheet_js),
    FILE_AT("/hosting.js", SCRIPT, hosting_js),
    FILE_AT("/identity.js", SCRIPT, identity_js),
    FILE_AT("/key.js", SCRIPT, key_js),
    FILE_AT("/keypanel.js", SCRIPT, keypanel_js),
    FILE_AT("/lobby.js", SCRIPT, lobby_js),
    FILE_AT("/main.js", SCRIPT, main_js),
    FILE_AT("/own.js", SCRIPT, own_js),
    FILE_AT("/ownroom.js", SCRIPT, ownroom_js),
    FILE_AT("/qr.js", SCRIPT, qr_js),
    FILE_AT("/replay.js", SCRIPT, replay_js),
    FILE_AT("/review.js", SCRIPT, review_js),
    FILE_AT("/store.js", SCRIPT, store_js),
    FILE_AT("/table.js", SCRIPT, table_js),
    FILE_AT("/tournament.js", SCRIPT, tournament_js),
    FILE_AT("/words.js", SCRIPT, words_js),
    /* Also parts of the page that checks files. */
    FILE_AT("/protocol/asks.js", SCRIPT, protocol_asks_js),
    FILE_AT("/protocol/blake2b.js", SCRIPT, protocol_blake2b_js),
    FILE_AT("/protocol/board-games.js", SCRIPT, protocol_board_games_js),
    FILE_AT("/protocol/box.js", SCRIPT, protocol_box_js),
    FILE_AT("/protocol/bundle.js", SCRIPT, protocol_bundle_js),
    FILE_AT("/protocol/bytes.js", SCRIPT, protocol_bytes_js),
    FILE_AT("/protocol/choices.js", SCRIPT, protocol_choices_js),
    FILE_AT("/protocol/choosing.js", SCRIPT, protocol_choosing_js),
    FILE_AT("/protocol/create.js", SCRIPT, protocol_create_js),
    FILE_AT("/protocol/curve.js", SCRIPT, protocol_curve_js),
    FILE_AT("/protocol/drawing-rules.js", SCRIPT, protocol_drawing_rules_js),
    FILE_AT("/protocol/events.js", SCRIPT, protocol_events_js),
    FILE_AT("/protocol/faults.js", SCRIPT, protocol_faults_js),
    FILE_AT("/protocol/files.js", SCRIPT, protocol_files_js),
    FILE_AT("/protocol/forms.js", SCRIPT, protocol_forms_js),
    FILE_AT("/protocol/gathered.js", SCRIPT, protocol_gathered_js),
    FILE_AT("/protocol/game.js", SCRIPT, protocol_game_js),
    FILE_AT("/protocol/hosted-player.js", SCRIPT, protocol_hosted_player_js),
    FILE_AT("/protocol/hosted-round.js", SCRIPT, protocol_hosted_round_js),
    FILE_AT("/protocol/hosted-rules.js", SCRIPT, protocol_hosted_rules_js),
    FILE_AT("/protocol/hosted-view.js", SCRIPT, protocol_hosted_view_js),
    FILE_AT("/protocol/line.js", SCRIPT, protocol_line_js),
    FILE_AT("/protocol/line-games.js", SCRIPT, protocol_line_games_js),
    FILE_AT("/protocol/lines.js", SCRIPT, protocol_lines_js),
    FILE_AT("/protocol/lobby.js", SCRIPT, protocol_lobby_js),
    FILE_AT("/protocol/membership.js", SCRIPT, protocol_membership_js),
    FILE_AT("/protocol/payloads.js", SCRIPT, protocol_payloads_js),
    FILE_AT("/protocol/play.js", SCRIPT, protocol_play_js),
    FILE_AT("/protocol/player.js", SCRIPT, protocol_player_js),
    FILE_AT("/protocol/quiz-rules.js", SCRIPT, protocol_quiz_rules_js),
    FILE_AT("/protocol/records.js", SCRIPT, protocol_records_js),
    FILE_AT("/protocol/report.js", SCRIPT, protocol_report_js),
    FILE_AT("/protocol/results.js", SCRIPT, protocol_results_js),
    FILE_AT("/protocol/room.js", SCRIPT, protocol_room_js),
    FILE_AT("/protocol/round-games.js", SCRIPT, protocol_round_games_js),
    FILE_AT("/protocol/round-play.js", SCRIPT, protocol_round_play_js),
    FILE_AT("/protocol/round-player.js", SCRIPT, protocol_round_player_js),
    FILE_AT("/protocol/round-results.js", SCRIPT, protocol_round_results_js),
    FILE_AT("/protocol/rounds.js", SCRIPT, protocol_rounds_js),
    FILE_AT("/protocol/rules.js", SCRIPT, protocol_rules_js),
    FILE_AT("/protocol/sealing.js", SCRIPT, protocol_sealing_js),
    FILE_AT("/protocol/seats.js", SCRIPT, protocol_seats_js),
    FILE_AT("/protocol/sha512.js", SCRIPT, protocol_sha512_js),
    FILE_AT("/protocol/signatures.js", SCRIPT, protocol_signatures_js),
    FILE_AT("/protocol/signing.js", SCRIPT, protocol_signing_js),
    FILE_AT("/protocol/verdicts.js", SCRIPT, protocol_verdicts_js),
    FILE_AT("/protocol/writing.js", SCRIPT, protocol_writing_js),
    /* Parts of that page which are not served as they are. */
    FILE_AT("verify.css", STYLE, verify_css),
    FILE_AT("verify.html", HTML, verify_html),
    FILE_AT("verify.js", SCRIPT, verify_js),
};

const parlor_page_file *parlor_page_file_at(size_t index) {
  return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
