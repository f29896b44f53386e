extension QuizFile {
  /// A file of ten questions, to try the quiz with and to write one's own from.
  public static let sample = """
    {
      "title": "Ten questions",
      "seconds": 15,
      "questions": [
        {"text": "Which planet is closest to the Sun?",
         "choices": ["Venus", "Mercury", "Mars", "Earth"], "answer": 2},
        {"text": "How many squares has a chessboard, counting those of one square alone?",
         "choices": ["32", "49", "64", "81"], "answer": 3},
        {"text": "Which of these numbers is a prime?",
         "choices": ["51", "57", "87", "97"], "answer": 4, "seconds": 20},
        {"text": "What is the capital of Australia?",
         "choices": ["Canberra", "Sydney", "Melbourne", "Perth"], "answer": 1},
        {"text": "Which gas is most of the air?",
         "choices": ["Oxygen", "Nitrogen", "Carbon dioxide", "Argon"], "answer": 2},
        {"text": "A perfect game of tic-tac-toe ends with",
         "choices": ["a win of the first player", "a win of the second player", "a draw"], "answer": 3},
        {"text": "How many bits has a byte?",
         "choices": ["4", "8", "10", "16"], "answer": 2, "seconds": 10},
        {"text": "Who wrote the first published program for a computing engine?",
         "choices": ["Ada Lovelace", "Alan Turing", "Grace Hopper", "John von Neumann"], "answer": 1},
        {"text": "The Amazon flows into the Pacific.",
         "choices": ["true", "false"], "answer": 2, "seconds": 10},
        {"text": "Which of these is not a primary colour of light?",
         "choices": ["Red", "Green", "Blue", "Yellow"], "answer": 4}
      ]
    }

    """
}
